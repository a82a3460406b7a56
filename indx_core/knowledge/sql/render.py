"""Results for people and programs: a terminal table, JSON, CSV.

Document text is data, not markup: control characters never reach a terminal.
"""

import base64
import csv
import io
import json
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

from indx_core.kit.terminal_text import terminal_text
from indx_core.knowledge.sql.connection import QueryResult

if TYPE_CHECKING:
    from rich.console import Console

CELL_CHARACTERS = 300
"""Longest value a terminal table shows; JSON and CSV show all of it."""


def as_table(result: QueryResult, console: "Console") -> None:
    """Print a table, as wide as the console, with East Asian characters two columns wide."""
    from rich.table import Table
    from rich.text import Text

    table = Table(caption=f"{len(result.rows):,} row{'' if len(result.rows) == 1 else 's'}", caption_justify="left")
    for name, kind in zip(result.columns, result.types, strict=True):
        table.add_column(Text(name), justify="right" if _numeric(kind) else "left", overflow="fold")
    for row in result.rows:
        shown = map(_shown, row, result.types)
        table.add_row(
            *(Text(text, style="dim" if value is None else "") for text, value in zip(shown, row, strict=True))
        )
    console.print(table)


def json_rows(result: QueryResult) -> list[dict[str, Any]]:
    """One object a row, in JSON's types. Bytes are base64; what JSON has no type for is its text."""
    names = _distinct(result.columns)
    return [dict(zip(names, map(_plain, row, result.types), strict=True)) for row in result.rows]


def as_csv(result: QueryResult) -> str:
    """CSV with a header line (RFC 4180, lines end with CR LF). Nulls and NaN are empty; lists and structs are JSON."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(result.columns)
    for row in result.rows:
        values = zip(row, result.types, strict=True)
        writer.writerow(_text(value, kind) for value, kind in values)
    return out.getvalue()


def _shown(value: Any, kind: str) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"<{len(value):,} bytes>"
    text = _text(value, kind)
    text = text if len(text) <= CELL_CHARACTERS else text[: CELL_CHARACTERS - 1] + "…"
    return terminal_text(text)


def _text(value: Any, kind: str) -> str:
    plain = _plain(value, kind)
    if plain is None:
        return ""
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _plain(value: Any, kind: str) -> Any:
    """A value of a DuckDB type in JSON's types. What is no number in JSON (NaN, the infinities) is null."""
    plain = value
    match value:
        case float():
            plain = _digits(value, kind) if isfinite(value) else None
        case Decimal():
            plain = int(value) if value == value.to_integral_value() else float(value)
        case bytes():
            plain = base64.b64encode(value).decode()
        case list() | tuple():
            plain = [_plain(item, kind) for item in value]
        case dict():
            plain = {str(name): _plain(item, kind) for name, item in value.items()}
        case int() | str() | None:  # bool is an int
            pass
        case _:
            plain = str(value)
    return plain


def _digits(value: float, kind: str) -> float:
    """A single-precision value with the fewest digits that name it: 0.1, not 0.10000000149011612."""
    import numpy as np

    return float(str(np.float32(value))) if "FLOAT" in kind else value


def _numeric(kind: str) -> bool:
    return kind.endswith(("INT", "INTEGER")) or kind in {"FLOAT", "DOUBLE"} or kind.startswith("DECIMAL(")


def _distinct(names: tuple[str, ...]) -> list[str]:
    """Names with a number behind each repetition, so that no column overwrites another."""
    seen: list[str] = []
    for name in names:
        count, candidate = 1, name
        while candidate in seen:
            candidate = f"{name}_{count}"
            count += 1
        seen.append(candidate)
    return seen
