"""SQL over the lake: one DuckDB view per table, and results as a table, JSON or CSV.

Belongs here: the views, the connection, the renderers. Does not: the schemas (``contracts/tables.py``) and the database
file that ``knowledge_space`` writes. Nothing is installed or downloaded: extension auto-install is off.
"""

from indx_core.knowledge.sql.connection import QueryResult, connect, query
from indx_core.knowledge.sql.render import as_csv, as_table, json_rows
from indx_core.knowledge.sql.views import VIEWS, view_statements

__all__ = ["VIEWS", "QueryResult", "as_csv", "as_table", "connect", "json_rows", "query", "view_statements"]
