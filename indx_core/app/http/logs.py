"""Log lines as JSON, one a line, each with the request it belongs to and none with a secret.

Belongs here: the form of a line and the request in the context. Does not: what is logged, and what is blotted out of it
(``kit/blot``).
"""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

from indx_core.kit.blot import blotted

_correlation: ContextVar[str | None] = ContextVar("indx_http_correlation", default=None)


@contextmanager
def correlated(correlation_id: str) -> Iterator[None]:
    """Everything logged inside belongs to this request."""
    token = _correlation.set(correlation_id)
    try:
        yield
    finally:
        _correlation.reset(token)


def log_as_json(stream: TextIO | None = None) -> None:
    """Have everything this process logs written as JSON lines, to stderr by default. For a process of our own only."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # Clients of vendors tell every request they make, at the level where our own lines are.
    for chatty in ("httpx", "httpcore", "LiteLLM", "botocore", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, message, request, ``facts`` of the record, traceback.

    ASCII only, so that no caller's text can start a line of its own or move a terminal's cursor.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": blotted(record.getMessage()),
            "x_request_id": _correlation.get(),
        }
        line.update(getattr(record, "facts", {}))
        if record.exc_info:
            line["traceback"] = blotted(self.formatException(record.exc_info))
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)
