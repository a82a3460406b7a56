"""Asset ``embeddings``: vectors of the chunks, one table per embedding space."""

from typing import Any

from assets.tables import Metadata, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.EMBEDDINGS
KINDS = {"python", "parquet"}
DESCRIPTION = """One vector per chunk and embedding space, float32. Only vectors of one space may be compared.

Rows: `vectors`, stored per space. Data version: chunks, spaces and embedders."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """Vectors, dimension and norms per space."""
    return {"spaces": table([{"space": space, **values} for space, values in facts["spaces"].items()])}
