"""Facts as Dagster metadata values: small tables, sentences, numbers. Holds no asset."""

from collections.abc import Mapping, Sequence
from typing import Any

import dagster as dg

Metadata = dict[str, dg.MetadataValue[Any]]


def table(rows: Sequence[Mapping[str, Any]]) -> dg.MetadataValue[Any]:
    """Rows of equal keys as a table; cells that are not plain values are written out."""
    if not rows:
        return dg.MetadataValue.text("none")
    columns = dg.TableSchema([dg.TableColumn(name) for name in rows[0]])
    return dg.MetadataValue.table([dg.TableRecord({k: _cell(v) for k, v in row.items()}) for row in rows], columns)


def counts(values: Mapping[str, Any]) -> dg.MetadataValue[Any]:
    """``name 3, other 1``."""
    return dg.MetadataValue.text(", ".join(f"{name} {count}" for name, count in values.items()) or "none")


def _cell(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {item}" for key, item in value.items())
    return ", ".join(map(str, value))
