"""What a corpus is and how it is ingested: the typed content of ``indx.toml``.

Holds values only; reading the file and merging it with the environment is in ``kit/config``.
"""

from enum import StrEnum
from typing import Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, field_validator, model_validator

from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.base import Contract
from indx_core.contracts.plan import Constraints

SYSTEM_FILES = (
    "**/.*",
    "**/.*/**",
    "**/~$*",
    "**/~WRL*.tmp",
    "**/Thumbs.db",
    "**/ehthumbs.db",
    "**/desktop.ini",
    "**/__MACOSX/**",
    "**/@eaDir/**",
    "**/$RECYCLE.BIN/**",
    "**/System Volume Information/**",
)
"""What file systems, desktops, Office and version control leave among documents: hidden files and folders (``.git``,
``.DS_Store``, ``._report.pdf``), owner files of open documents, thumbnails, the bins of shared drives."""


class Stage(StrEnum):
    """The six stages of the pipeline, in order; each is an asset."""

    OBSERVATION = "observation"
    PLAN = "plan"
    PAGE_READS = "page_reads"
    CHUNKS = "chunks"
    EMBEDDINGS = "embeddings"
    ANNOTATIONS = "annotations"


class Grain(StrEnum):
    """What one Dagster partition is: a document, or a bucket of documents."""

    SOURCE = "source"
    SHARD = "shard"


class IngestOptions(Contract):
    """How documents of a corpus are processed. Nothing runs that is not named here.

    Attributes:
        constraints: What the business allows, as in a plan request.
        signature_detection: Whether installed parsers are asked to recognise documents.
        embedding_spaces: Spaces that chunks are embedded in.
        languages: Whether installed language detectors run.
        classification: Classifier ids per unit.
        extraction: Entity extractor ids per unit, and per language of a page.
        enrichment: Enricher ids per unit.
        chunkers: Chunker ids in the order they are asked before the others; empty keeps the installed order.
    """

    constraints: Constraints = Constraints()
    signature_detection: bool = False
    embedding_spaces: tuple[str, ...] = ("default-text",)
    languages: bool = True
    classification: AnnotationSelection = AnnotationSelection()
    extraction: ExtractionSelection = ExtractionSelection()
    enrichment: AnnotationSelection = AnnotationSelection()
    chunkers: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _languages_are_known(self) -> Self:
        if self.extraction.by_language and not self.languages:
            raise ValueError("extraction by language needs languages = true: without it no page has a language")
        return self


class ScheduleOptions(Contract):
    """When a corpus is brought up to date without anybody asking.

    Attributes:
        cron: Five fields, as cron has them; the default is every night at two.
        timezone: IANA name that the hours of ``cron`` are in.
        running: Whether the schedule runs from the start; otherwise somebody starts it in the UI.
        budget_usd: Dollars that the runs of one night may come to at most; what does not fit stays stale.
    """

    cron: str = Field(default="0 2 * * *", pattern=r"^\S+( \S+){4}$")
    timezone: str = "UTC"
    running: bool = False
    budget_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)

    @field_validator("timezone")
    @classmethod
    def _known(cls, timezone: str) -> str:
        try:
            ZoneInfo(timezone)
        except (ZoneInfoNotFoundError, ValueError):
            raise ValueError(f"no time zone is called {timezone!r}; names are like Asia/Tokyo") from None
        return timezone


class SensorOptions(Contract):
    """How a corpus is watched for new, changed and deleted documents.

    Attributes:
        running: Whether the sensor runs from the start; otherwise somebody starts it in the UI.
        every_seconds: Least time from one look at the corpus to the next.
        runs_in_flight: Runs of the corpus that may wait or work at a time; the rest is asked for as they end.
        retire_at_most: Share of the documents, 0-1, that one listing may call gone. Beyond it nothing is retired: a
            file share that is not mounted looks like an empty folder. Ten documents may always go.
    """

    running: bool = False
    every_seconds: int = Field(default=60, ge=1, le=86_400)
    runs_in_flight: int = Field(default=20, ge=1, le=1_000)
    retire_at_most: float = Field(default=0.5, ge=0, le=1)


class CorpusConfig(Contract):
    """A named root of documents.

    Attributes:
        root: A directory (relative to ``indx.toml``) or a URI such as ``s3://bucket/prefix``.
        include: Glob patterns of paths below the root; a path must match one.
        exclude: Glob patterns of paths to leave out.
        ingest: Options of this corpus in the place of the general ones.
        schedule: When it is brought up to date, in the place of the general schedule.
        sensor: How it is watched, in the place of the general sensor options.
    """

    root: str = Field(min_length=1)
    include: tuple[str, ...] = ("**",)
    exclude: tuple[str, ...] = ()
    ingest: IngestOptions | None = None
    schedule: ScheduleOptions | None = None
    sensor: SensorOptions | None = None


class IndxConfig(Contract):
    """The content of ``indx.toml``.

    Attributes:
        grain: What one Dagster partition is.
        shards: How many buckets at shard grain; changing it re-buckets every document.
        batch_size: Documents per Dagster run, at most.
        batch_bytes: Bytes of documents per Dagster run, at most; a larger document has a run of its own.
        budget_usd: Dollars that one `indx backfill` may come to at most; unset, no limit.
        freshness_hours: Hours without a materialization after which Dagster shows an asset as no longer fresh; unset,
            it shows nothing. For corpora that change daily: what did not change is not materialized anew.
        ignore: Glob patterns of paths that no corpus takes for documents, letter case aside; what is left out is named.
        corpora: Named roots.
        ingest: Options for every corpus without its own.
        schedule: When every corpus without a schedule of its own is brought up to date.
        sensor: How every corpus without sensor options of its own is watched.
    """

    grain: Grain = Grain.SOURCE
    shards: int = Field(default=1024, ge=1, le=65_536)
    batch_size: int = Field(default=200, ge=1, le=10_000)
    batch_bytes: int = Field(default=512 * 1024**2, ge=1)
    budget_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    freshness_hours: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    ignore: tuple[str, ...] = SYSTEM_FILES
    corpora: dict[str, CorpusConfig] = {}
    ingest: IngestOptions = IngestOptions()
    schedule: ScheduleOptions = ScheduleOptions()
    sensor: SensorOptions = SensorOptions()

    @field_validator("corpora")
    @classmethod
    def _names(cls, corpora: dict[str, CorpusConfig]) -> dict[str, CorpusConfig]:
        for name in corpora:
            if not name or not all(c.isascii() and (c.islower() or c.isdigit() or c in "-_") for c in name):
                raise ValueError(f"corpus name {name!r} must be lower-case ASCII letters, digits, '-' and '_'")
        return corpora

    def options(self, corpus: str) -> IngestOptions:
        """How documents of a corpus are processed."""
        config = self.corpora.get(corpus)
        return (config.ingest if config else None) or self.ingest

    def schedule_of(self, corpus: str) -> ScheduleOptions:
        """When a corpus is brought up to date."""
        config = self.corpora.get(corpus)
        return (config.schedule if config else None) or self.schedule

    def sensor_of(self, corpus: str) -> SensorOptions:
        """How a corpus is watched."""
        config = self.corpora.get(corpus)
        return (config.sensor if config else None) or self.sensor
