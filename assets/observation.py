"""Asset ``observation``: what a document is, before anything reads it. One row of ``sources`` per document."""

from typing import Any

import dagster as dg

from assets.tables import Metadata, counts, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.OBSERVATION
KINDS = {"python", "parquet"}
DESCRIPTION = """The document as the cheap, local observers see it: **digest, media type, pages and per-page signals**
(text layer, images, garbage text). Opens no engine and no network beyond fetching the bytes.

Rows: `sources`. Data version: the digest of the bytes."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """Identity, size, signals and what tolerant parsing repaired."""
    return {
        "uri": dg.MetadataValue.text(facts["uri"]),
        "source_digest": dg.MetadataValue.text(facts["source_digest"]),
        "media_type": dg.MetadataValue.text(facts["media_type"]),
        "pages": dg.MetadataValue.int(facts["pages"]),
        "bytes": dg.MetadataValue.int(facts["bytes"]),
        "signals": counts(facts["signals"]),
        "findings": table(facts["findings"]),
    }
