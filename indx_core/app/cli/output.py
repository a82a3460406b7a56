"""How results reach the reader: JSON in a pipe or on request, a readable form on a terminal.

Holds no form of any particular result.
"""

import json
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import BaseModel

from indx_core.app.cli.streams import is_terminal, takes_all_characters
from indx_core.contracts.errors import RequestInvalid
from indx_core.kit.terminal_text import terminal_text

if TYPE_CHECKING:
    from rich.console import Console

_UNBOUNDED = 10_000
"""Columns of an output that is no terminal: rich takes 80 there, and would fold keys that one searches for."""

json_option = click.option(
    "--json/--no-json", "as_json", default=None, help="JSON, or the form for people, wherever stdout leads."
)


def show(result: BaseModel, readable: Callable[[Any], str], *, as_json: bool | None) -> None:
    """Print a result: its JSON, or what ``readable`` makes of it when a person is looking."""
    if wants_json(as_json=as_json):
        print_json(result.model_dump(mode="json"))
    else:
        say(readable(result))


def say(text: str) -> None:
    """Print a readable form; what a document or a name says cannot act on the terminal."""
    click.echo(terminal_text(text))


def wants_json(*, as_json: bool | None) -> bool:
    """Whether a result is printed as JSON: as was asked for (``--json``, ``--no-json``), else where nobody looks."""
    return not is_terminal(sys.stdout) if as_json is None else as_json


def console() -> "Console":
    """Standard output for tables: as wide as the terminal, and where there is none as wide as the table."""
    from rich.console import Console

    return Console() if is_terminal(sys.stdout) else Console(width=_UNBOUNDED)


def print_json(value: Any) -> None:
    """Print a JSON value; in ASCII where the output would not take every character."""
    click.echo(json.dumps(value, ensure_ascii=not takes_all_characters(sys.stdout), indent=2))


@contextmanager
def writing(output: Path) -> Iterator[None]:
    """Refuse an output that cannot be written as the option that names it.

    Raises:
        RequestInvalid: The system's reason, without the path's folders.
    """
    try:
        yield
    except OSError as error:
        raise RequestInvalid(f"{output.name} cannot be written: {error.strerror}", param="output") from None


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


def counted(number: int, noun: str) -> str:
    """``1 document``, ``1,200 documents``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


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
