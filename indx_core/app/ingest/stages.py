"""The six stages: each takes the state of a document further and says which rows and which facts that makes.

A stage is a thin line from the state through one function of planning or execution to rows; what it decides is there.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from indx_core.app.ingest import facts, rows, verify
from indx_core.app.ingest.reuse import known_chunks, known_reads
from indx_core.app.ingest.state import DocumentState
from indx_core.app.ingest.task import StageReport
from indx_core.app.review.applied import persons_answers
from indx_core.contracts import tables as t
from indx_core.contracts.ingest import Stage
from indx_core.contracts.plan import PlanStatus
from indx_core.execution.annotate import annotate
from indx_core.execution.chunk import cut
from indx_core.execution.embed import embed_chunks, named_space
from indx_core.execution.ladder import Conditions, read_pages, unsatisfied_reads
from indx_core.execution.settings import ValidationSettings
from indx_core.kit.deadline import Deadline
from indx_core.kit.intake import observe_document
from indx_core.planning.conflict import check_page_count, check_plan
from indx_core.planning.decide import decide
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import NOTHING_DETECTED, detect

if TYPE_CHECKING:
    import pyarrow as pa

    StageResult = tuple[Mapping[str, pa.Table | None], StageReport]


def observe(state: DocumentState) -> "StageResult":
    """Fetch the bytes and look at them."""
    state.observation = observe_document(state.acquired, state.document, state.workshop.installation.registry)
    state.versions[Stage.OBSERVATION] = state.observation.source_digest
    report = StageReport(state.observation.source_digest, facts.observation_facts(state.task, state.observation))
    return {t.SOURCES.name: rows.source_table(state.task, state.observation)}, report


def plan(state: DocumentState) -> "StageResult":
    """Decide which capability reads which page, and at what price."""
    options, installation = state.task.options, state.workshop.installation
    parts = RequestParts(
        constraints=options.constraints,
        embedding_space_ids=options.embedding_spaces,
        signature_detection=options.signature_detection,
    )
    found = NOTHING_DETECTED
    if options.signature_detection:
        found = detect(installation.registry.signatures, state.observed_document(), state.observation)
    state.plan = decide(state.observation, installation.snapshot, parts, installation.economics, found)
    state.versions[Stage.PLAN] = state.plan.plan_id
    report = StageReport(state.plan.plan_id, facts.plan_facts(state.plan))
    return {t.PLANS.name: rows.plan_table(state.task.key, state.plan)}, report


def read(state: DocumentState) -> "StageResult":
    """Execute the plan of record: exactly it, or a conflict that names every differing field."""
    task, plan_of_record, registry = state.task, state.plan, state.workshop.installation.registry
    if Stage.PLAN not in task.stages:
        _require_fit(state)
        state.versions[Stage.PLAN] = plan_of_record.plan_id
    elif (known := known_reads(state)) is not None:
        return known
    conditions = Conditions(
        deadline=Deadline(),
        floor=ValidationSettings.load().min_confidence,
        budget=state.workshop.installation.budget(plan_of_record.constraints),
        poisoned={(capability, page): reason for capability, page, reason in task.poisoned},
        on_attempt=state.workshop.heartbeat,
    )
    ready = plan_of_record.status is PlanStatus.READY
    reads = (
        read_pages(state.document, plan_of_record, registry, conditions) if ready else unsatisfied_reads(plan_of_record)
    )
    state.reads, state.spent_usd = reads.pages, reads.spent_usd
    state.charge(event.cost_usd for event in reads.events)
    pages = rows.page_table(task.key, plan_of_record.plan_id, reads.pages, state.observation.pages)
    checks = (verify.pages_conserved(pages, len(state.observation.pages)), verify.pages_readable(pages))
    version = state.identify(Stage.PAGE_READS, persons_answers(reads.pages))
    report = StageReport(version, facts.page_facts(state.observation, reads), checks)
    return {t.PAGES.name: pages, t.TRACE.name: rows.trace_table(task.key, reads.events)}, report


def _require_fit(state: DocumentState) -> None:
    """Refuse a plan of record that was made for something else.

    The source is looked at once more: under other settings the same bytes can have other pages, which would vanish.
    """
    installation = state.workshop.installation
    check_plan(
        state.plan,
        source_digest=state.document.digest,
        media_type=state.acquired.media_type,
        snapshot=installation.snapshot,
    )
    seen = observe_document(state.acquired, state.document, installation.registry)
    check_page_count(state.plan, len(seen.pages))


def chunk(state: DocumentState) -> "StageResult":
    """Cut the pages into passages, each with a box or the reason it has none."""
    if (known := known_chunks(state)) is not None:
        return known
    outputs = [page.output for page in state.reads]
    result = cut(state.observed_document(), outputs, state.workshop.installation.registry, state.task.options.chunkers)
    state.chunks = result.chunks
    capability_of = {page.output.number: page.descriptor.id if page.descriptor else None for page in state.reads}
    table = rows.chunk_table(state.task.key, result.chunks, capability_of)
    checks = (verify.box_or_reason(table),)
    return {t.CHUNKS.name: table}, StageReport(state.identify(Stage.CHUNKS), facts.chunk_facts(result), checks)


def embed(state: DocumentState) -> "StageResult":
    """Place every passage in every space that is named."""
    installation = state.workshop.installation
    spaces = [named_space(name, installation.snapshot.embedding_spaces) for name in state.task.options.embedding_spaces]
    deadline = Deadline(on_check=state.workshop.alive)
    answers = embed_chunks(state.chunks, spaces, installation.registry, deadline, state.purse)
    state.charge(answer.cost_usd for answer in answers)
    tables = [(answer.space, rows.vector_table(state.task.key, state.chunks, answer)) for answer in answers]
    report = StageReport(
        state.identify(Stage.EMBEDDINGS),
        facts.vector_facts(answers, len(state.chunks)),
        (verify.vectors_valid(tables),),
    )
    return {t.vectors_table(space.id): table for space, table in tables}, report


def annotate_document(state: DocumentState) -> "StageResult":
    """Ask the annotators that are named about the document, its pages and its passages."""
    outputs = [page.output for page in state.reads]
    deadline = Deadline(on_check=state.workshop.alive)
    options, registry = state.task.options, state.workshop.installation.registry
    found = annotate(outputs, state.chunks, options, registry, deadline, state.purse)
    found.declared_language = state.observation.properties.get("language")
    state.charge([found.cost_usd])
    report = StageReport(state.identify(Stage.ANNOTATIONS), facts.annotation_facts(found))
    return rows.annotation_tables(state.task.key, found), report


RUN: "Mapping[Stage, Callable[[DocumentState], StageResult]]" = {
    Stage.OBSERVATION: observe,
    Stage.PLAN: plan,
    Stage.PAGE_READS: read,
    Stage.CHUNKS: chunk,
    Stage.EMBEDDINGS: embed,
    Stage.ANNOTATIONS: annotate_document,
}
"""In the order they run."""
