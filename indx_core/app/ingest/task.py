"""What crosses between the run and its worker processes: a task in, an outcome out. Both pickle.

A task is a source reference, options and at most a plan: bytes never cross. An outcome is encoded tables and facts.
"""

from dataclasses import dataclass, field
from typing import Any

from indx_core.app.ingest.verify import Check
from indx_core.contracts.errors import Cause, IndxError
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.contracts.plan import RoutePlan

STAGES = tuple(Stage)
"""In the order they run."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A document in the lake that may have the same bytes: it is of the same length.

    Attributes:
        key: Its source key.
        partition: Name of its objects in the lake.
        digest: ``sha256:<hex>`` of its bytes as observed.
        versions: Its recorded data versions.
    """

    key: str
    partition: str
    digest: str
    versions: tuple[tuple[Stage, str], ...]

    def version(self, stage: Stage) -> str | None:
        """The recorded data version of one stage."""
        return dict(self.versions).get(stage)


@dataclass(frozen=True, slots=True)
class DocumentTask:
    """One document and the stages to take it through.

    Attributes:
        key: Its source key.
        corpus: Name of its corpus.
        path: Path below the corpus root.
        uri: Address a loader resolves.
        version: Version of the source in its listing (ETag, or size and time).
        partition: Name of its objects in the lake: the key at source grain, the bucket at shard grain.
        stages: What to run, in order; what is left out is taken from the lake.
        options: How.
        basis: Settings and engines it is taken through under, as a hash; recorded with a refusal.
        plan: The plan of record to execute, where ``plan`` is not among the stages.
        versions: Recorded data versions of stages that are not run here and that run ones read.
        twins: Documents whose pages and chunks are taken over if the bytes turn out to be theirs.
        poisoned: Attempts that killed a worker, ``(capability_id, page, reason)``: counted as failed, not repeated.
    """

    key: str
    corpus: str
    path: str
    uri: str
    version: str
    partition: str
    stages: tuple[Stage, ...]
    options: IngestOptions
    basis: str = ""
    plan: RoutePlan | None = None
    versions: tuple[tuple[Stage, str], ...] = ()
    twins: tuple[Twin, ...] = ()
    poisoned: tuple[tuple[str, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage did for one document.

    Attributes:
        data_version: Hash of the upstream versions and of everything this stage read: its data's identity.
        facts: JSON-ready numbers and samples for metadata.
        checks: What was verified of its rows.
    """

    data_version: str
    facts: dict[str, Any]
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class StageFailure:
    """The stage that could not be done and why. Stages before it stand."""

    stage: Stage
    error: IndxError

    @property
    def permanent(self) -> bool:
        """Whether a rerun would end the same way: then it is a refusal."""
        return self.error.cause is Cause.PERMANENT


@dataclass(slots=True)
class DocumentOutcome:
    """What became of one task.

    Attributes:
        objects: Encoded Parquet by table name, for every stage that completed. An empty table is ``None``: it has no
            object, and one of an earlier run is deleted.
        reports: By stage that completed.
        failure: Where the chain stopped; ``None`` when every stage asked for completed.
        cpu_ms: CPU milliseconds the worker spent on it.
    """

    task: DocumentTask
    objects: dict[str, bytes | None] = field(default_factory=dict)
    reports: dict[Stage, StageReport] = field(default_factory=dict)
    failure: StageFailure | None = None
    cpu_ms: int = 0
