"""Which schema the lake is of, as the lake itself records it; and rewriting what is of an earlier one.

Reading needs no migration: a column that an older object lacks is null (``encode.conform``). What is refused is the
other direction, since a program that does not know a column would drop it from every object that it writes again.
"""

import io
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.contracts.errors import LakeObjectInvalid, LakeTooNew
from indx_core.contracts.tables import TABLES, Table
from indx_core.kit.lake.encode import conform, open_parquet, schema_version, stored_schema, write_groups
from indx_core.kit.lake.stores import Store

if TYPE_CHECKING:
    from indx_core.kit.lake.lake import Lake

RECORD: Final = "schema.json"
"""Object at the root of the lake: ``{"tables": {"chunks": 1, …}}``, the newest version that any writer knew."""


class Outdated(NamedTuple):
    """An object of an earlier schema.

    Attributes:
        name: Its name in the lake.
        version: Schema version it was written with.
    """

    table: str
    name: str
    version: int


def recorded_versions(store: Store) -> dict[str, int] | None:
    """Schema version by table as the lake records it; ``None`` for a lake that is new, or older than the record.

    Raises:
        LakeObjectInvalid: The record is not what this or a later program writes.
    """
    data = store.get(RECORD)
    if data is None:
        return None
    try:
        return {str(name): int(version) for name, version in json.loads(bytes(data))["tables"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        remedy = f"delete {RECORD} at the root of the lake: the next writer records it anew"
        raise LakeObjectInvalid(f"{RECORD} of the lake cannot be read", remedy=remedy) from None


def require_known(recorded: Mapping[str, int] | None) -> None:
    """Refuse a lake that a newer program wrote to.

    Raises:
        LakeTooNew: Names every table that is ahead of this program.
    """
    ahead = [
        f"{name} is at {version}, known here {f'to {TABLES[name].version}' if name in TABLES else 'not at all'}"
        for name, version in sorted((recorded or {}).items())
        if name not in TABLES or version > TABLES[name].version
    ]
    if ahead:
        raise LakeTooNew(f"the lake was written by a newer release: {'; '.join(ahead)}")


def record_versions(store: Store, recorded: Mapping[str, int] | None) -> None:
    """Say which schema is written from now on, where the lake does not say so yet."""
    current = {name: table.version for name, table in TABLES.items()}
    if recorded is None or any(recorded.get(name, 0) < version for name, version in current.items()):
        store.put(RECORD, (json.dumps({"tables": current}, indent=2) + "\n").encode())


def outdated(lake: "Lake") -> Iterator[Outdated]:
    """Objects of an earlier schema. Tables that never changed are not listed; of the others every footer is read.

    Raises:
        LakeObjectInvalid: An object is not Parquet.
    """
    for table in TABLES.values():
        if table.version == 1:
            continue
        for item in lake.objects(table.name):
            data = lake.store.get(item.name)
            version = table.version if data is None else schema_version(open_parquet(table.name, data))
            if version < table.version:
                yield Outdated(table.name, item.name, version)


def rewrite(lake: "Lake", found: Outdated) -> bool:
    """Replace one object by the same rows in the current schema, atomically, row group by row group.

    Returns:
        Whether it was rewritten: not where somebody removed or replaced it in the meantime.

    Raises:
        LakeObjectInvalid: It does not have its table's columns.
        LakeUnavailable: The store failed. What was rewritten stands; the next migration goes on from there.
    """
    data = lake.store.get(found.name)
    if data is None:
        return False
    rewritten = _in_current_schema(TABLES[found.table], data)
    if lake.store.get(found.name) != data:
        return False
    lake.store.put(found.name, rewritten)
    return True


def _in_current_schema(table: Table, data: bytes | memoryview) -> bytes:
    file = open_parquet(table.name, data)
    schema, out = stored_schema(table.name, file), io.BytesIO()
    groups = (conform(file.read_row_group(at, use_threads=False), schema) for at in range(file.num_row_groups))
    write_groups(out, schema, groups)
    return out.getvalue()
