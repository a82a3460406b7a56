"""Outcomes into the lake: whole objects per document at source grain, merged buckets at shard grain.

Whoever owns the run commits; workers only encode. A document's rows replace its old ones table by table, atomically;
the old version serves until then. Does not decide what is stale.
"""

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from indx_core.app.ingest.attempts import counted
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageFailure
from indx_core.contracts import tables as t
from indx_core.contracts.errors import PlanConflict
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.lake import Lake, decode_table, encode_table, rows_table

if TYPE_CHECKING:
    import pyarrow as pa

SPOOL_BYTES = 64 * 1024 * 1024
"""Encoded rows a bucket holds back before it is merged: bounds memory, and keeps rewrites of a bucket few."""


class Committer(Protocol):
    """Puts outcomes into the lake."""

    def commit(self, outcome: DocumentOutcome) -> None:
        """Take one outcome; at source grain it is in the lake when this returns."""
        ...

    def close(self) -> None:
        """Put what is held back into the lake."""
        ...


def committer(lake: Lake, grain: Grain) -> Committer:
    """The committer of a grain."""
    return SourceCommitter(lake) if grain is Grain.SOURCE else ShardCommitter(lake)


class SourceCommitter:
    """One object per table and document."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self._refused = set(lake.partitions(t.REFUSALS.name))
        self._sparse = {name: set(lake.partitions(name)) for name in _sparse_tables(lake)}

    def commit(self, outcome: DocumentOutcome) -> None:
        partition = outcome.task.partition
        for name, data in _objects(outcome, self._sparse).items():
            # An empty table has no object; asking the store to delete one that never was costs a request per document.
            if data is not None or partition in self._sparse.get(name, ()) or name not in self._sparse:
                self._lake.write(name, partition, data)
        if partition in self._refused and refusal_stands(outcome, self._lake):
            return
        if outcome.failure is not None:
            refusal = refusal_table(outcome, outcome.failure, self._lake)
            self._lake.write(t.REFUSALS.name, partition, encode_table(refusal))
        elif partition in self._refused:
            self._lake.delete(t.REFUSALS.name, partition)

    def close(self) -> None:
        """Nothing is held back."""


class ShardCommitter:
    """Documents of one bucket merged into its objects, many at a time."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake
        self._sparse: Mapping[str, set[str]] = {name: set() for name in _sparse_tables(lake)}
        self._spool: dict[str, dict[str, tuple[list[pa.Table], set[str]]]] = {}
        self._bytes = 0

    def commit(self, outcome: DocumentOutcome) -> None:
        bucket = self._spool.setdefault(outcome.task.partition, {})
        failure = outcome.failure
        refusal = encode_table(refusal_table(outcome, failure, self._lake)) if failure else None
        objects = _objects(outcome, self._sparse)
        if not refusal_stands(outcome, self._lake):
            objects[t.REFUSALS.name] = refusal
        for name, data in objects.items():
            tables, keys = bucket.setdefault(name, ([], set()))
            keys.add(outcome.task.key)
            if data is not None:
                tables.append(decode_table(name, data))
                self._bytes += len(data)
        if self._bytes > SPOOL_BYTES:
            self.close()

    def close(self) -> None:
        import pyarrow as pa

        for partition, bucket in self._spool.items():
            for name, (tables, keys) in bucket.items():
                rows = pa.concat_tables(tables) if tables else None
                self._lake.replace_documents(name, partition, rows, keys)
        self._spool.clear()
        self._bytes = 0


def refusal_stands(outcome: DocumentOutcome, lake: Lake) -> bool:
    """Whether the refusal in the lake outlasts a run, since it is of a stage that the run left out.

    A replay decides nothing about what was refused before its plan; and a plan that does not fit any more says nothing
    of the document.
    """
    if Stage.OBSERVATION in outcome.task.stages:
        return False
    standing = _refusal(lake, outcome.task)
    if standing is None or standing["code"] == PlanConflict.code:
        return False
    conflict = outcome.failure is not None and isinstance(outcome.failure.error, PlanConflict)
    return conflict or Stage(standing["stage"]) not in outcome.task.stages


def refusal_table(outcome: DocumentOutcome, failure: StageFailure, lake: Lake) -> "pa.Table":
    """One row: what was not processed, at which stage, why, what to do, and how often by now.

    Args:
        outcome: Whose.
        failure: What stopped it.
        lake: Holds the refusal of the run before, if there was one.
    """
    task, error = outcome.task, failure.error
    row = {
        "key": task.key,
        "corpus": task.corpus,
        "path": task.path,
        "uri": task.uri,
        "stage": failure.stage.value,
        "type": error.type,
        "code": error.code,
        "message": error.message,
        "remedy": error.remedy,
        "cause": error.cause.value,
        "source_version": task.version,
        "basis": task.basis,
        "http_status": error.http_status,
    }
    attempts = counted(_refusal(lake, task), row, round(time.time() * 1000))
    row |= {"attempts": attempts.count, "since_ms": attempts.since_ms, "retry_at_ms": attempts.retry_at_ms}
    return rows_table(t.REFUSALS.name, [row])


def _refusal(lake: Lake, task: DocumentTask) -> dict[str, Any] | None:
    """The refusal of a document that stands in the lake."""
    rows = lake.read_document(t.REFUSALS.name, task.partition, task.key)
    found: list[dict[str, Any]] = [] if rows is None else rows.to_pylist()
    return found[0] if found else None


def _objects(outcome: DocumentOutcome, sparse: Mapping[str, set[str]]) -> dict[str, bytes | None]:
    """What the outcome replaces: its own tables, and vectors of spaces that are no longer asked for."""
    found = dict(outcome.objects)
    if Stage.EMBEDDINGS in outcome.reports:
        for name in sparse:
            if name.startswith(f"{t.VECTORS.name}/"):
                found.setdefault(name, None)
    return found


def _sparse_tables(lake: Lake) -> list[str]:
    """Tables of which a document may have no rows: chunks, annotations, and vectors of every space there is."""
    spaces = {item.name.split("/")[1] for item in lake.objects(t.VECTORS.name)}
    annotations = [table.name for table in t.ASSET_TABLES[Stage.ANNOTATIONS.value]]
    return [t.CHUNKS.name, *annotations, *(t.vectors_table(space) for space in sorted(spaces))]
