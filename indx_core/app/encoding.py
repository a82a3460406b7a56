"""One document on its way through ``encode``: plan, read, chunk, embed, annotate.

Apart from ``service``, so that planning a document does not import what reads one.
"""

from indx_core.app.installation import Installation
from indx_core.app.planned import plan_components, planned
from indx_core.contracts.encode import EncodeRequest, EncodeResult
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.observation import Finding, Observation
from indx_core.contracts.plan import Component, Granularity, PlanStatus, RoutePlan
from indx_core.contracts.trace import Usage
from indx_core.execution.annotate import Annotations, annotate
from indx_core.execution.blocks import Executed, block_tree
from indx_core.execution.budget import Purse
from indx_core.execution.chunk import Cut, cut
from indx_core.execution.embed import SpaceVectors, embed_chunks, named_space
from indx_core.execution.ladder import Conditions, Reads, read_pages, unsatisfied_reads
from indx_core.execution.settings import ValidationSettings
from indx_core.execution.trace import execution_trace
from indx_core.kit.deadline import Deadline
from indx_core.kit.intake import AcquiredDocument, observe_document
from indx_core.kit.workers.heartbeat import beat
from indx_core.planning.conflict import check_page_count, check_plan
from indx_core.ports.document import OpenDocument


class Encoding:
    """One encode on its way: the steps in order, each adding what the result is made of.

    Attributes:
        observation: What the document was observed to be, which a result does not carry.
        pieces: What was cut, pictures included, which a result does not carry either.
        annotations: What the annotators said, by block; a result has it spread over its blocks.
    """

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
        self._findings: tuple[Finding, ...] = ()
        self.observation: Observation | None = None
        self.pieces = Cut()
        self.annotations = Annotations()

    def execute(self) -> EncodeResult:
        """Plan unless one was supplied, then read, chunk, embed, annotate."""
        plan = self._plan()
        reads = self._read(plan)
        self.pieces = pieces = self._cut(plan, reads)
        purse = self._purse(plan, reads)
        vectors = self._embed(plan, pieces, purse)
        self.annotations = annotations = self._annotate(plan, reads, pieces, purse)
        self._findings = (*pieces.findings, *(f for each in vectors for f in each.findings), *annotations.findings)
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
            observation, plan = planned(self._document, self._acquired, self._request, self._installation)
            self._components.extend(plan_components(observation))
            self.observation = observation
            return plan
        check_plan(
            supplied,
            source_digest=self._document.digest,
            media_type=self._acquired.media_type,
            snapshot=self._installation.snapshot,
        )
        named = (("loader", self._acquired.loaded.loader), ("sniffer", self._acquired.sniffer))
        self._components.extend(Component(role=role, distribution=who) for role, who in named if who)
        # For what the format declares of itself: a replay answers what the plan's own encode answered.
        self.observation = observe_document(self._acquired, self._document, self._installation.registry)
        check_page_count(supplied, len(self.observation.pages))
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

    def _purse(self, plan: RoutePlan, reads: Reads) -> Purse:
        return Purse(
            self._installation.budget(plan.constraints),
            spent_usd=reads.spent_usd,
            pages=len(reads.pages),
            characters=sum(len(read.output.text) for read in reads.pages),
        )

    def _embed(self, plan: RoutePlan, pieces: Cut, purse: Purse) -> list[SpaceVectors]:
        if plan.status is not PlanStatus.READY:
            return []
        installed = self._installation.snapshot.embedding_spaces
        spaces = [named_space(space_id, installed) for space_id in plan.embedding_space_ids]
        return embed_chunks(pieces.chunks, spaces, self._installation.registry, self._deadline, purse)

    def _annotate(self, plan: RoutePlan, reads: Reads, pieces: Cut, purse: Purse) -> Annotations:
        if plan.status is not PlanStatus.READY:
            return Annotations()
        options = IngestOptions(
            classification=self._request.classification,
            extraction=self._request.extraction,
            enrichment=self._request.enrichment,
        )
        outputs = [read.output for read in reads.pages]
        found = annotate(outputs, pieces.chunks, options, self._installation.registry, self._deadline, purse)
        found.declared_language = self.observation.properties.get("language") if self.observation else None
        self._components.extend(found.components)
        return found

    def _result(self, executed: Executed, reads: Reads) -> EncodeResult:
        outputs = [read.output for read in reads.pages]
        extra = [*(answer.cost_usd for answer in executed.vectors), executed.annotations.cost_usd]
        trace = execution_trace(reads.events, outputs, extra)
        trace = trace.model_copy(update={"components": tuple(self._components), "findings": self._findings})
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
