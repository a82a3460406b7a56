"""The space as one DuckDB database file, for BI tools and notebooks: documented tables, no server.

Belongs here: the tables and the file. Does not: views over the lake (``knowledge/sql``).
"""

from indx_core.knowledge.database.tables import TABLES
from indx_core.knowledge.database.write import write_database

__all__ = ["TABLES", "write_database"]
