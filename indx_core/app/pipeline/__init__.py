"""``DirectoryPipeline``: a folder or ZIP file to a knowledge space in one process, as six replaceable stages.

Belongs here: the stages, the context that they share, and the slots they fill. Does not: what a stage decides, which is
in ``planning``, ``execution`` and ``knowledge``; and corpora that need isolation, replay or a schedule, which Dagster
runs (``app/ingest``).
"""

from indx_core.app.pipeline.context import SpaceContext
from indx_core.app.pipeline.pipeline import DirectoryPipeline
from indx_core.app.pipeline.stages import Chunking, EmbedAndPack, Enrich, Parse, Relate, Walk

__all__ = [
    "Chunking",
    "DirectoryPipeline",
    "EmbedAndPack",
    "Enrich",
    "Parse",
    "Relate",
    "SpaceContext",
    "Walk",
]
