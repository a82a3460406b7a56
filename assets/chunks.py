"""Asset ``chunks``: retrievable passages, each with a box on its page or the reason it has none."""

from typing import Any

import dagster as dg

from assets.tables import Metadata, counts, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.CHUNKS
KINDS = {"python", "parquet"}
DESCRIPTION = """Passages for retrieval, each with a **bounding box** (`[x0, y0, x1, y1]`, 0-1, origin top left, of the
page as displayed) **or the reason it has none**.

Rows: `chunks`. Data version: page reads and chunkers."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """How many, how many with a box, who cut them, and a sample."""
    return {
        "chunks": dg.MetadataValue.int(facts["chunks"]),
        "boxed": dg.MetadataValue.int(facts["boxed"]),
        "without_box": counts(facts["without_box"]),
        "chunkers": counts(facts["chunkers"]),
        "findings": table(facts["findings"]),
        "sample": table(facts["sample"]),
        **({"reused_from": dg.MetadataValue.text(facts["reused_from"])} if "reused_from" in facts else {}),
    }
