"""Lakes of a few documents, written without a chain."""

from pathlib import Path
from typing import Any

from kit.lake.table_rows import chunks, vectors

from indx_core.kit.lake import Lake, LakeSettings, encode_table, rows_table


def lake_at(folder: Path) -> Lake:
    return Lake.open(LakeSettings(lake=str(folder)))


def document(
    lake: Lake,
    key: str,
    *rows: dict[str, Any],
    matrix: Any = (),
    space: str = "s",
    media_type: str = "text/plain",
    partition: str | None = None,
) -> None:
    """A document with its chunks, their vectors in a space.

    In a partition of its own, or with whatever other documents the chunks are of in a shard.
    """
    keys = sorted({key, *(row["key"] for row in rows)})
    partition = partition or key
    lake.write("sources", partition, encode_table(rows_table("sources", [_source(each, media_type) for each in keys])))
    lake.write("chunks", partition, encode_table(chunks(*rows)) if rows else None)
    if len(matrix):
        lake.write(f"vectors/{space}", partition, encode_table(vectors(key, matrix, space)))


def _source(key: str, media_type: str) -> dict[str, Any]:
    corpus, _, path = key.partition("/")
    return {
        "key": key,
        "corpus": corpus,
        "path": path,
        "uri": f"file:///data/{path}",
        "media_type": media_type,
        "source_digest": "sha256:0",
        "byte_count": 1,
        "page_count": 1,
        "observation": "{}",
        "findings": 0,
        "observer": "indx-observer-text",
    }
