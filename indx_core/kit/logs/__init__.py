"""Log lines as JSON, the same for the service and for runs: their form, what they belong to, and what is blotted out.

Belongs here: the form of a line and the names in its context. Does not: what is logged, and access to a request.
"""

from indx_core.kit.logs.lines import JsonLines, correlated, log_as_json, log_where_asked
from indx_core.kit.logs.settings import LogSettings

__all__ = ["JsonLines", "LogSettings", "correlated", "log_as_json", "log_where_asked"]
