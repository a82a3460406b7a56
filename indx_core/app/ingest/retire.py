"""Documents that are gone: a tombstone at once, their rows when nothing stands in for them any more.

Only a complete listing may call a document gone. Its rows serve on while a document of the same length waits to be
read, since that may be the same one under another name, and searching must not lose it in between; then they are
removed from every table. What people answered stays: it belongs to the bytes. Decides nothing about runs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from indx_core.app.ingest.listings import partition_name
from indx_core.contracts import tables as t
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.kit.keys import key_path
from indx_core.kit.lake import Lake, encode_table, rows_table

KEPT = {t.LISTING.name, t.TOMBSTONES.name, t.REVIEWS.name, t.VECTORS.name}
"""Tables that are not a document's own; those of vectors are named by their spaces."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A document that is gone: a row of ``tombstones``, where its fields are described."""

    key: str
    corpus: str
    path: str
    uri: str
    source_digest: str | None
    byte_count: int | None
    source_version: str | None
    serving: bool
    gone_since_ms: int


def tombstones(lake: Lake, corpus: str) -> dict[str, Tombstone]:
    """Tombstones of a corpus by key."""
    table = lake.read(t.TOMBSTONES.name, corpus)
    return {} if table is None else {row["key"]: Tombstone(**row) for row in table.to_pylist()}


def write_tombstones(lake: Lake, corpus: str, stones: Mapping[str, Tombstone]) -> None:
    """Replace the tombstones of a corpus, atomically."""
    rows = [asdict(stones[key]) for key in sorted(stones)]
    lake.write(t.TOMBSTONES.name, corpus, encode_table(rows_table(t.TOMBSTONES.name, rows)) if rows else None)


def tombstone(lake: Lake, key: str, config: IndxConfig, now_ms: int) -> Tombstone:
    """The tombstone of a document, with what is known of it from its observation, else its refusal, else its key.

    Args:
        lake: Holds its rows, which stand.
        key: Its source key.
        config: Grain and shards.
        now_ms: Milliseconds since 1970, UTC.
    """
    names = ("corpus", "path", "uri", "source_digest", "byte_count", "source_version")
    for table in (t.SOURCES, t.REFUSALS):
        rows = _rows_of(lake, table.name, partition_name(key, config), key)
        if rows:
            known: dict[str, Any] = {name: rows[0].get(name) for name in names}
            return Tombstone(key, **known, serving=True, gone_since_ms=now_ms)
    corpus, _, rest = key.partition("/")
    decoded = key_path(key)
    path = decoded[1] if decoded else rest
    return Tombstone(key, corpus, path, "", None, None, None, serving=True, gone_since_ms=now_ms)


def remove(lake: Lake, keys: Collection[str], config: IndxConfig, spaces: Iterable[str]) -> None:
    """Remove the rows of these documents from every table. Done twice, it does no more than done once.

    Args:
        lake: Where they are.
        keys: Documents with a tombstone. None of their partitions has another writer at this time.
        config: Grain and shards.
        spaces: Embedding spaces that the lake has vectors of.
    """
    tables = [name for name in t.TABLES if name not in KEPT] + [t.vectors_table(space) for space in spaces]
    for partition, members in _by_partition(keys, config).items():
        for table in tables:
            if config.grain is Grain.SOURCE:
                lake.delete(table, partition)
            else:
                lake.replace_documents(table, partition, None, members)


def has_rows(lake: Lake, key: str, config: IndxConfig) -> bool:
    """Whether the lake has an observation or a refusal of a document."""
    partition = partition_name(key, config)
    return any(_rows_of(lake, table.name, partition, key) for table in (t.SOURCES, t.REFUSALS))


def observed_keys(lake: Lake, corpus: str) -> set[str]:
    """Keys of a corpus that the lake has an observation or a refusal of. Opens every object of two tables."""
    found: set[str] = set()
    for table in (t.SOURCES, t.REFUSALS):
        keys = lake.select(table.name, ["key"]).column("key").to_pylist()
        found.update(key for key in keys if key.startswith(f"{corpus}/"))
    return found


def embedding_spaces(lake: Lake) -> list[str]:
    """Spaces that the lake has vectors of."""
    return sorted({item.name.split("/")[1] for item in lake.objects(t.VECTORS.name)})


def _by_partition(keys: Collection[str], config: IndxConfig) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key in sorted(keys):
        found.setdefault(partition_name(key, config), []).append(key)
    return found


def _rows_of(lake: Lake, table: str, partition: str, key: str) -> Sequence[dict[str, Any]]:
    found = lake.read_document(table, partition, key)
    rows: list[dict[str, Any]] = [] if found is None else found.to_pylist()
    return rows
