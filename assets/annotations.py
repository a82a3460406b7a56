"""Asset ``annotations``: languages, labels, entities, summaries and tags."""

from typing import Any

import dagster as dg

from assets.tables import Metadata, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.ANNOTATIONS
KINDS = {"python", "parquet"}
DESCRIPTION = """What the text is and names: languages, labels, entities, summaries and tags, by the annotators that the
corpus names. Nothing runs that is not named.

Rows: `languages`, `labels`, `entities`, `summaries`, `tags`. Data version: page reads, chunks and annotators."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """Languages and labels of the document, and counts of the rest."""
    labels = [{"facet": facet, **label} for facet, ranked in facts["labels"].items() for label in ranked]
    return {
        "languages": table(facts["languages"]),
        "labels": table(labels),
        "entities": dg.MetadataValue.int(facts["entities"]),
        "summaries": dg.MetadataValue.int(facts["summaries"]),
        "tags": dg.MetadataValue.int(facts["tags"]),
        "findings": table(facts["findings"]),
    }
