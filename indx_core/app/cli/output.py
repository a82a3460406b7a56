"""How results reach the reader: JSON in a pipe or on request, a readable form on a terminal.

Holds no form of any particular result.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from pydantic import BaseModel

json_option = click.option("--json", "as_json", is_flag=True, help="JSON on stdout, also on a terminal.")


def show(result: BaseModel, readable: Callable[[Any], str], *, as_json: bool) -> None:
    """Print a result: its JSON, or what ``readable`` makes of it when a person is looking."""
    if as_json or not sys.stdout.isatty():
        click.echo(json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=2))
    else:
        click.echo(readable(result))


@contextmanager
def warnings_shown() -> Iterator[None]:
    """Say on stderr what the core warns of meanwhile, such as files that a listing leaves out."""
    logger, handler = logging.getLogger("indx_core"), _Said(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Said(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        click.echo(f"note: {record.getMessage()}", err=True)


def columns(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> str:
    """Rows with their columns aligned by display width, so that Japanese text lines up."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)] if rows else []
    lines = []
    for row in rows:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
        lines.append(indent + "  ".join(padded).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
