"""A batch as Dagster is asked for it: run config and tags, the same from the command line, a schedule or a sensor.

What a run says of itself before it starts is here; what it adds when it knows (its worker, what it cost) is in
``run.py``.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assets.batches import Batch
from assets.in_flight import CORPORA
from assets.ingest import STEP
from indx_core.app.ingest.listings import partition_name
from indx_core.kit.config import LoadedConfig

DOCUMENTS = "indx/documents"
"""Run tag: how many."""
REASONS = "indx/reasons"
"""Run tag: why, as ``source changed 3, missing 1``."""
ESTIMATE = "indx/estimated_cost_usd"
"""Run tag: what the plans of the documents come to, where they were priced before."""


def run_config(batch: Batch, engines: list[str] | None = None) -> dict[str, Any]:
    """Config of the step: documents, reasons, and the engines that their plans name, where somebody read them."""
    about: dict[str, list[str]] = {}
    for source, reasons in zip(batch.sources, batch.reasons, strict=False):
        about.setdefault(", ".join(reasons), []).append(source.key)
    config: dict[str, Any] = {"sources": [source.key for source in batch.sources], "reasons": about}
    if engines is not None:
        config["engines"] = engines
    return {"ops": {STEP: {"config": config}}}


def run_tags(batch: Batch, loaded: LoadedConfig, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Tags of the run.

    One document is the partition tag, whatever else the run is about: Dagster asks a run that leaves upstream assets
    out for its partition, and breaks off without one.
    """
    why = Counter(reason for reasons in batch.reasons for reason in reasons)
    tags = {
        "dagster/partition": partition_name(batch.sources[0].key, loaded.config),
        CORPORA: ",".join(sorted({source.corpus for source in batch.sources})),
        DOCUMENTS: str(len(batch.sources)),
        **(more or {}),
    }
    return {**tags, REASONS: ", ".join(f"{reason} {count}" for reason, count in why.most_common())} if why else tags
