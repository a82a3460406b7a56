"""One JSON object a line, each with what it belongs to (request, run, document) and none with a secret."""

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from indx_core.kit.blot import blotted
from indx_core.kit.logs.settings import LogSettings

_names: ContextVar[tuple[tuple[str, str], ...]] = ContextVar("indx_log_names", default=())

OWN: Final = ("indx", "indx_core")
"""Roots of the loggers that are ours."""


@contextmanager
def correlated(**names: str) -> Iterator[None]:
    """Everything logged inside belongs to these, such as ``x_request_id``, ``run_id``, ``corpus`` and ``key``."""
    token = _names.set((*_names.get(), *names.items()))
    try:
        yield
    finally:
        _names.reset(token)


def log_as_json(stream: TextIO | None = None) -> None:
    """Have everything this process logs written as JSON lines, to stderr by default. For a process of our own only."""
    logging.basicConfig(level=logging.INFO, handlers=[_handler(stream)], force=True)
    # Clients of vendors tell every request they make, at the level where our own lines are.
    for chatty in ("httpx", "httpcore", "LiteLLM", "botocore", "urllib3"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def log_where_asked() -> None:
    """Have our own loggers write JSON lines to stderr where ``INDX_LOG`` says so; whoever hosts us keeps the others."""
    if LogSettings.load().log != "json":
        return
    handler = _handler(None)
    for name in OWN:
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False


class JsonLines(logging.Formatter):
    """One JSON object a record: time, level, logger, message, what it belongs to, ``facts`` of the record, traceback.

    ASCII only, so that no caller's text can start a line of its own or move a terminal's cursor.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": blotted(record.getMessage()),
            **dict(_names.get()),
        }
        line.update(getattr(record, "facts", {}))
        if record.exc_info:
            line["traceback"] = blotted(self.formatException(record.exc_info))
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)


def _handler(stream: TextIO | None) -> logging.Handler:
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    return handler
