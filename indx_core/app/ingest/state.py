"""The state of one document on its way through the stages: made by a stage, or recalled from the lake on first use.

Belongs here: what the stages stand on, and the identity of their output. Does not: any stage.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from indx_core.app.ingest import recorded
from indx_core.app.ingest.recipe import UNRECORDED, PersonsAnswer, data_version, recipes, upstream
from indx_core.app.ingest.task import DocumentTask, Twin
from indx_core.app.installation import Installation
from indx_core.contracts import tables as t
from indx_core.contracts.errors import PlanConflict, SourceUnreadable
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import RoutePlan
from indx_core.contracts.source import UriSource
from indx_core.execution.budget import Purse
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.ladder import PageRead
from indx_core.execution.trace import known_cost
from indx_core.kit.intake import AcquiredDocument, acquire, open_document
from indx_core.ports.document import OpenDocument

if TYPE_CHECKING:
    import pyarrow as pa


class RecordedTables(Protocol):
    """What the chain asks of the lake."""

    def read_document(self, table: str, partition: str, key: str) -> "pa.Table | None":
        """One document's rows of one table, or ``None`` where it has none."""
        ...


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every document of one process shares.

    Attributes:
        installation: What is installed.
        lake: Where earlier stages left their rows.
        encode: Arrow table to the bytes of its object.
        heartbeat: Told ``(capability_id, page)`` before each page is read.
        alive: Called between the batches of other work.
    """

    installation: Installation
    lake: RecordedTables
    encode: "Callable[[pa.Table], bytes]"
    heartbeat: Callable[[str, int], None] = lambda _capability, _page: None
    alive: Callable[[], None] = lambda: None
    _recipes: dict[IngestOptions, dict[Stage, tuple[str, str]]] = field(default_factory=dict)

    def recipes(self, options: IngestOptions) -> dict[Stage, tuple[str, str]]:
        """Recipes of a corpus's options. Kept: taking them reads every settings class, the same for each document."""
        if options not in self._recipes:
            self._recipes[options] = recipes(options, self.installation.snapshot)
        return self._recipes[options]


class DocumentState:
    """One document. Parts that a stage makes are assigned; parts that no stage made are recalled when first read.

    Attributes:
        cost_usd: What was charged in this run, as far as it is known (``cost_known``).
        spent_usd: What reading cost as the budget counts it: unknown prices at the expected ones.
    """

    def __init__(self, task: DocumentTask, workshop: Workshop) -> None:
        self.task = task
        self.workshop = workshop
        self.cost_usd = 0.0
        self.cost_known = True
        self.spent_usd = 0.0
        self.versions: dict[Stage, str] = dict(task.versions)
        self.twin: Twin | None = None
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._opened.close()

    @cached_property
    def acquired(self) -> AcquiredDocument:
        """The bytes, fetched once per run."""
        return acquire(UriSource(uri=self.task.uri), self.workshop.installation.registry)

    @cached_property
    def document(self) -> OpenDocument:
        """The open document; closed with the state."""
        return self._opened.enter_context(open_document(self.acquired, self.workshop.installation.registry))

    @cached_property
    def observation(self) -> Observation:
        """What was observed; recalled from ``sources``."""
        return recorded.recorded_observation(self._recall(t.SOURCES), self.task.key)

    @cached_property
    def plan(self) -> RoutePlan:
        """The plan of record, handed over with the task, unless the plan stage made one.

        Raises:
            PlanConflict: There is none. Nothing is planned silently.
        """
        if self.task.plan is None:
            raise self._nothing_to_replay()
        return self.task.plan

    @cached_property
    def reads(self) -> list[PageRead]:
        """Every page with its outcome; recalled from ``pages``."""
        return recorded.recorded_reads(self._recall(t.PAGES), self.task.key)

    @cached_property
    def chunks(self) -> list[PlacedChunk]:
        """Every chunk in order; recalled from ``chunks``."""
        return recorded.recorded_chunks(self._recall(t.CHUNKS))

    @cached_property
    def purse(self) -> Purse:
        """What embedders and annotators may still spend in this run; first asked for when the pages are there."""
        return Purse(
            self.workshop.installation.budget(self.task.options.constraints),
            spent_usd=self.spent_usd,
            pages=len(self.reads),
            characters=sum(len(page.output.text) for page in self.reads),
        )

    def observed_document(self) -> OpenDocument:
        """The open document, known to hold the bytes that were observed.

        Raises:
            SourceUnreadable: The source changed since, and no stage of this run observed it again.
        """
        if self.document.digest != self.observation.source_digest:
            raise SourceUnreadable(
                "the source changed since it was observed", remedy="re-materialize observation of this document"
            )
        return self.document

    def charge(self, costs: Iterable[float | None]) -> None:
        """Add what was charged, in USD. ``None`` is a price nobody knows: the sum is a lower bound from then on."""
        charged = list(costs)
        self.cost_usd += known_cost(charged)
        self.cost_known = self.cost_known and None not in charged

    def identify(self, stage: Stage, answers: Sequence[PersonsAnswer] = ()) -> str:
        """The data version of a stage below the plan: the versions it read, its own recipe, and people's answers."""
        above = {each: self.versions.get(each, UNRECORDED) for each in upstream(stage)}
        recipe = self.workshop.recipes(self.task.options)[stage]
        self.versions[stage] = data_version(stage, above, recipe, self.task.version, answers)
        return self.versions[stage]

    def _nothing_to_replay(self) -> PlanConflict:
        rows = self._recall(t.REFUSALS)
        refusal = rows.to_pylist()[0] if rows is not None and rows.num_rows else None
        if refusal is None or refusal["code"] == PlanConflict.code:
            return PlanConflict("the document has no plan of record", remedy="materialize plan of this document first")
        why = f"{refusal['code'] or refusal['type']}: {refusal['message']}"
        return PlanConflict(
            f"nothing to replay: the document was refused at {refusal['stage']} and has no plan of record ({why})",
            remedy=f"{refusal['remedy']}; then ingest it",
        )

    def _recall(self, table: t.Table) -> "pa.Table | None":
        return self.workshop.lake.read_document(table.name, self.task.partition, self.task.key)
