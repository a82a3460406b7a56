"""The four operations: capabilities, plan, encode, embed. One implementation behind Python, the command line and HTTP.

Belongs here: composing intake, planning and execution for one document. Does not: transports, and corpora
(``app/ingest``).
"""

import time

from indx_core.app.installation import Installation
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult, TextInput
from indx_core.contracts.errors import DataResidency, SnapshotNotFound
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import Component, Granularity, PlanRequest, PlanResult, PlanStatus, RoutePlan
from indx_core.contracts.trace import Usage
from indx_core.execution.annotate import Annotations, annotate
from indx_core.execution.blocks import Executed, block_tree
from indx_core.execution.chunk import Cut, cut
from indx_core.execution.embed import SpaceVectors, embed_chunks, embed_query, named_space
from indx_core.execution.ladder import Conditions, Reads, read_pages, unsatisfied_reads
from indx_core.execution.settings import ValidationSettings
from indx_core.execution.trace import execution_trace, known_cost
from indx_core.kit.deadline import Deadline
from indx_core.kit.intake import AcquiredDocument, acquire, observe_document, open_document
from indx_core.kit.workers import beat
from indx_core.planning.conflict import check_plan
from indx_core.planning.decide import decide
from indx_core.planning.refusals import validate_request
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import NOTHING_DETECTED, detect
from indx_core.ports.document import OpenDocument


class Service:
    """The operations of one installation.

    Thread-safe as far as readers and embedders are: it holds no state but the inventory and the snapshots it has
    advertised.
    """

    def __init__(self, installation: Installation | None = None) -> None:
        """Args: ``installation`` in the place of what is installed here, for tests and for embedding indx."""
        self._fixed = installation
        self._retained: dict[str, CapabilitySnapshot] = {}

    @property
    def installation(self) -> Installation:
        """The inventory in force: taken per call, so that a changed setting needs no restart."""
        return self._fixed or Installation.current()

    def capabilities(self, snapshot_id: str | None = None) -> CapabilitySnapshot:
        """The current snapshot, or one that this service advertised before.

        Raises:
            SnapshotNotFound: It was never advertised here, or is no longer retained.
        """
        current = self.installation.snapshot
        self._retained[current.snapshot_id] = current
        if snapshot_id is None:
            return current
        if snapshot_id not in self._retained:
            raise SnapshotNotFound(f"snapshot {snapshot_id} is not retained", param="snapshot_id")
        return self._retained[snapshot_id]

    def plan(self, request: PlanRequest, deadline: Deadline | None = None) -> PlanResult:
        """Decide what would happen to a document and at what price; nothing is read.

        Raises:
            IndxError: A typed refusal: of the request, the source, or the media type.
        """
        installation, deadline = self.installation, deadline or Deadline()
        validate_request(request, installation.snapshot)
        acquired = acquire(request.source, installation.registry)
        deadline.check()
        with open_document(acquired, installation.registry) as document:
            observation, plan = _planned(document, acquired, request, installation)
        return PlanResult(plan=plan, components=_plan_components(observation))

    def encode(self, request: EncodeRequest, deadline: Deadline | None = None) -> EncodeResult:
        """Execute a supplied plan exactly, or make one first and execute that.

        An unsatisfied plan is reported, not raised: failed blocks and a failed trace that name the constraint.

        Raises:
            PlanConflict: The supplied plan is for another source, media type or snapshot.
            CapabilityUnavailable: A page exhausted its route.
            IndxError: Any other typed refusal.
        """
        installation, deadline = self.installation, deadline or Deadline()
        validate_request(request, installation.snapshot)
        started, cpu = time.perf_counter(), time.process_time()
        acquired = acquire(request.source, installation.registry)
        deadline.check()
        with open_document(acquired, installation.registry) as document:
            run = _Encoding(request, acquired, document, installation, deadline)
            result = run.execute()
        latency, cpu_ms = round((time.perf_counter() - started) * 1000), round((time.process_time() - cpu) * 1000)
        usage = result.usage.model_copy(update={"latency_ms": latency, "cpu_ms": cpu_ms})
        return result.model_copy(update={"usage": usage})

    def embed(self, request: EmbedRequest, deadline: Deadline | None = None) -> EmbedResult:
        """Place a query in one embedding space.

        Raises:
            InvalidEmbeddingSpace: No such space, or none of its embedders takes this input as a query.
            DataResidency: The embedder is external and the request forbids it.
            CapabilityUnavailable: It is advertised and cannot run, or failed.
        """
        installation = self.installation
        started = time.perf_counter()
        space = named_space(request.embedding_space_id, installation.snapshot.embedding_spaces)
        if isinstance(request.input, TextInput):
            query: str | bytes = request.input.text
        else:
            query = acquire(request.input.source, installation.registry).loaded.data
        (deadline or Deadline()).check()
        if request.data_residency and any(e.device.value == "external" for e in space.embedders):
            raise DataResidency(f"space {space.id} is computed by an external service", param="embedding_space_id")
        embedder, answer = embed_query(space, query, installation.registry)
        size = len(query.encode() if isinstance(query, str) else query)
        return EmbedResult(
            request_id=request.request_id,
            embedding_space=space,
            embedder=embedder.descriptor,
            vector=tuple(answer.vectors[0].tolist()),
            usage=Usage(
                bytes=size,
                pages=0,
                cost_usd=answer.cost_usd or 0.0,
                cost_known=answer.cost_usd is not None,
                latency_ms=round((time.perf_counter() - started) * 1000),
            ),
        )


def _planned(
    document: OpenDocument, acquired: AcquiredDocument, request: PlanRequest, installation: Installation
) -> tuple[Observation, RoutePlan]:
    observation = observe_document(acquired, document, installation.registry)
    found = NOTHING_DETECTED
    if request.signature_detection:
        found = detect(installation.registry.signatures, document, observation)
    parts = RequestParts.of(request)
    return observation, decide(observation, installation.snapshot, parts, installation.economics, found)


def _plan_components(observation: Observation) -> tuple[Component, ...]:
    named = (("loader", observation.loader), ("sniffer", observation.sniffer), ("observer", observation.observer))
    return tuple(Component(role=role, distribution=who) for role, who in named if who)


class _Encoding:
    """One encode on its way: the steps in order, each adding what the result is made of."""

    def __init__(
        self,
        request: EncodeRequest,
        acquired: AcquiredDocument,
        document: OpenDocument,
        installation: Installation,
        deadline: Deadline,
    ) -> None:
        self._request = request
        self._acquired = acquired
        self._document = document
        self._installation = installation
        self._deadline = deadline
        self._components: list[Component] = []

    def execute(self) -> EncodeResult:
        """Plan unless one was supplied, then read, chunk, embed, annotate."""
        plan = self._plan()
        reads = self._read(plan)
        pieces = self._cut(plan, reads)
        vectors = self._embed(plan, pieces)
        annotations = self._annotate(plan, reads, pieces)
        executed = Executed(
            plan=plan,
            pages=reads.pages,
            chunks=pieces.chunks,
            vectors=vectors,
            annotations=annotations,
            source_uri=self._acquired.loaded.uri,
            filename=None if self._acquired.loaded.uri else self._acquired.loaded.filename,
            metadata=self._request.metadata,
        )
        return self._result(executed, reads)

    def _plan(self) -> RoutePlan:
        supplied = self._request.plan
        if supplied is None:
            observation, plan = _planned(self._document, self._acquired, self._request, self._installation)
            self._components.extend(_plan_components(observation))
            return plan
        snapshot = self._installation.snapshot
        digest, media_type = self._document.digest, self._acquired.media_type
        check_plan(supplied, source_digest=digest, media_type=media_type, snapshot=snapshot)
        named = (("loader", self._acquired.loaded.loader), ("sniffer", self._acquired.sniffer))
        self._components.extend(Component(role=role, distribution=who) for role, who in named if who)
        return supplied

    def _read(self, plan: RoutePlan) -> Reads:
        if plan.status is not PlanStatus.READY:
            return unsatisfied_reads(plan)
        conditions = Conditions(
            deadline=self._deadline,
            floor=ValidationSettings.load().min_confidence,
            budget=self._installation.budget(plan.constraints),
            on_attempt=lambda capability, page: beat(page, capability),
        )
        return read_pages(self._document, plan, self._installation.registry, conditions)

    def _cut(self, plan: RoutePlan, reads: Reads) -> Cut:
        if Granularity.CHUNK not in plan.granularities or plan.status is not PlanStatus.READY:
            return Cut()
        pieces = cut(self._document, [read.output for read in reads.pages], self._installation.registry)
        self._components.extend(pieces.components)
        return pieces

    def _embed(self, plan: RoutePlan, pieces: Cut) -> list[SpaceVectors]:
        if plan.status is not PlanStatus.READY:
            return []
        installed = self._installation.snapshot.embedding_spaces
        spaces = [named_space(space_id, installed) for space_id in plan.embedding_space_ids]
        return embed_chunks(pieces.chunks, spaces, self._installation.registry, self._deadline)

    def _annotate(self, plan: RoutePlan, reads: Reads, pieces: Cut) -> Annotations:
        if plan.status is not PlanStatus.READY:
            return Annotations()
        options = IngestOptions(
            classification=self._request.classification,
            extraction=self._request.extraction,
            enrichment=self._request.enrichment,
        )
        outputs = [read.output for read in reads.pages]
        limit = plan.constraints.maximum_cost_usd
        spent = known_cost(event.cost_usd for event in reads.events)
        left = None if limit is None else max(0.0, limit - spent)
        found = annotate(outputs, pieces.chunks, options, self._installation.registry, self._deadline, left)
        self._components.extend(found.components)
        return found

    def _result(self, executed: Executed, reads: Reads) -> EncodeResult:
        outputs = [read.output for read in reads.pages]
        extra = [*(answer.cost_usd for answer in executed.vectors), executed.annotations.cost_usd]
        trace = execution_trace(reads.events, outputs, extra)
        trace = trace.model_copy(update={"components": tuple(self._components)})
        return EncodeResult(
            request_id=self._request.request_id,
            document_id=self._document.digest,
            plan=executed.plan,
            blocks=block_tree(executed),
            embedding_spaces=tuple(answer.space for answer in executed.vectors),
            trace=trace,
            usage=Usage(
                bytes=len(self._document.data),
                pages=len(outputs),
                cost_usd=trace.actuals.cost_usd,
                cost_known=trace.actuals.cost_known,
                latency_ms=0,
                quality=trace.actuals.quality,
            ),
        )
