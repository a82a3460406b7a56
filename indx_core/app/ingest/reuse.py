"""Pages and chunks of a document whose bytes are known already: taken over from it instead of made again.

A data version names an output by its bytes, plan and recipe, so two documents with the same version have the same rows
but for their key. The bytes of this one are fetched and observed all the same; only then is it known whose they are.
Taken over is what every page was read of by itself: where a person was asked, or a page was given up, reading again may
end otherwise. The trace keeps each attempt, at no time and no price, and names the document it was made for.
"""

from typing import TYPE_CHECKING, Any

from indx_core.app.ingest import facts, recorded, verify
from indx_core.app.ingest.recipe import data_version
from indx_core.app.ingest.task import StageReport, Twin
from indx_core.contracts import tables as t
from indx_core.contracts.ingest import Stage
from indx_core.contracts.page import PageStatus
from indx_core.execution.chunk import Cut
from indx_core.execution.ladder import Reads
from indx_core.formats.any.manual import ManualReviewReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from indx_core.app.ingest.state import DocumentState

    StageResult = tuple[Mapping[str, pa.Table | None], StageReport]


def known_reads(state: "DocumentState") -> "StageResult | None":
    """Page reads of a document with the same bytes, read by the same plan and recipe; ``None`` where there are none."""
    for twin in state.task.twins:
        if twin.digest != state.observation.source_digest:
            continue
        pages = _rows(state, t.PAGES.name, twin)
        if (
            pages is None
            or not _all_read(pages)
            or _expected(state, Stage.PAGE_READS) != twin.version(Stage.PAGE_READS)
        ):
            continue
        if set(pages.column("plan_id").to_pylist()) == {state.plan.plan_id}:
            return _reads_of(state, twin, pages)
    return None


def known_chunks(state: "DocumentState") -> "StageResult | None":
    """Chunks of the document that the page reads were taken from, where the same chunkers cut them."""
    twin = state.twin
    if twin is None or _expected(state, Stage.CHUNKS) != twin.version(Stage.CHUNKS):
        return None
    chunks = _rows(state, t.CHUNKS.name, twin)
    state.chunks = recorded.recorded_chunks(chunks)
    noted = {**facts.chunk_facts(Cut(state.chunks)), "reused_from": twin.key}
    report = StageReport(state.identify(Stage.CHUNKS), noted, (verify.box_or_reason(chunks),))
    return {t.CHUNKS.name: chunks}, report


def _reads_of(state: "DocumentState", twin: Twin, pages: "pa.Table") -> "StageResult":
    trace = _reused(_rows(state, t.TRACE.name, twin), twin)
    reads = Reads(recorded.recorded_reads(pages, state.task.key), recorded.recorded_events(trace))
    state.twin, state.reads = twin, reads.pages
    checks = (verify.pages_conserved(pages, len(state.observation.pages)), verify.pages_readable(pages))
    noted = {**facts.page_facts(state.observation, reads), "reused_from": twin.key}
    return {t.PAGES.name: pages, t.TRACE.name: trace}, StageReport(state.identify(Stage.PAGE_READS), noted, checks)


def _expected(state: "DocumentState", stage: Stage) -> str:
    """The data version that this document's output would have, nobody having answered anything."""
    above = {Stage.PAGE_READS: Stage.PLAN, Stage.CHUNKS: Stage.PAGE_READS}[stage]
    recipe = state.workshop.recipes(state.task.options)[stage]
    return data_version(stage, {above: state.versions[above]}, recipe, state.task.version)


def _all_read(pages: "pa.Table") -> bool:
    readers = set(pages.column("capability_id").to_pylist())
    statuses = set(pages.column("status").to_pylist())
    return statuses == {PageStatus.COMPLETED.value} and ManualReviewReader.descriptor.id not in readers


def _rows(state: "DocumentState", table: str, twin: Twin) -> "pa.Table | None":
    """The twin's rows under this document's key; ``None`` where it has none."""
    import pyarrow as pa

    found = state.workshop.lake.read_document(table, twin.partition, twin.key)
    if found is None or found.num_rows == 0:
        return None
    at = found.schema.get_field_index("key")
    return found.set_column(at, found.schema.field(at), pa.array([state.task.key] * found.num_rows, pa.string()))


def _reused(trace: "pa.Table | None", twin: Twin) -> "pa.Table | None":
    """The attempts as they were, without their time and price, each saying whose they are."""
    import pyarrow as pa

    if trace is None:
        return None
    said = [f"reused from {twin.key}" + (f": {why}" if why else "") for why in trace.column("reason").to_pylist()]
    values: dict[str, list[Any]] = {
        "latency_ms": [0] * trace.num_rows,
        "cost_usd": [0.0] * trace.num_rows,
        "reason": said,
    }
    for name, column in values.items():
        at = trace.schema.get_field_index(name)
        trace = trace.set_column(at, trace.schema.field(at), pa.array(column, trace.schema.field(at).type))
    return trace
