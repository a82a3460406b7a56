"""Log lines as JSON, one a line, each with the request it belongs to and none with a secret.

Belongs here: the form of a line, the request in the context, and what is blotted out. Does not: what is logged.
"""

import json
import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Final, TextIO

from pydantic import SecretBytes, SecretStr

from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.settings import all_settings

_correlation: ContextVar[str | None] = ContextVar("indx_http_correlation", default=None)

BLOT: Final = "***"
SHORTEST_SECRET: Final = 4
"""Shorter values would blot out ordinary words."""

_USERINFO = re.compile(r"(?<=://)[^/\s@'\"]+@")
_QUERY = re.compile(r"(://[^\s?'\"]+)\?[^\s'\"]+")


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


def blotted(text: str) -> str:
    """A text without the values of secret settings, and without user names and queries of URLs."""
    for secret in _secrets():
        text = text.replace(secret, BLOT)
    return _QUERY.sub(rf"\1?{BLOT}", _USERINFO.sub(f"{BLOT}@", text))


@lru_cache(maxsize=1)
def _secrets() -> tuple[str, ...]:
    """Values of every secret in force when the first line was written, longest first."""
    found: set[str] = set()
    for cls in all_settings():
        try:
            values = cls.load()
        except SettingsInvalid:
            continue
        for name in cls.model_fields:
            value = getattr(values, name)
            if isinstance(value, SecretStr):
                found.add(value.get_secret_value())
            elif isinstance(value, SecretBytes):
                found.add(value.get_secret_value().decode(errors="replace"))
    return tuple(sorted((each for each in found if len(each) >= SHORTEST_SECRET), key=lambda each: (-len(each), each)))
