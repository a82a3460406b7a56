"""The manifest of a corpus: what was read, what was refused, what no reader could read, and what it cost.

Holds the values; they are counted in ``knowledge/space/manifest.py``. Not part of a space: rates are measured, and
differ from run to run.
"""

from indx_core.contracts.base import Contract


class PageProblem(Contract):
    """Pages of one document that were not read, for one reason.

    Attributes:
        path: The document, below the corpus's root.
        status: ``failed`` or ``unreadable``.
        pages: 1-based, ascending.
        reason: What the last reader of the ladder said.
    """

    path: str
    status: str
    pages: tuple[int, ...]
    reason: str


class RefusedDocument(Contract):
    """A document that was not processed, by its typed error."""

    path: str
    stage: str
    code: str
    message: str
    remedy: str


class CorpusManifest(Contract):
    """What became of a corpus.

    Attributes:
        corpus: Its name.
        root: What was walked.
        listed: Objects of the last complete listing; 0 where it was never listed.
        documents: Documents observed.
        outstanding: Objects listed that were neither observed nor refused yet.
        refused: Refused documents by code.
        refusals: Each of them.
        pages: Pages by status.
        problems: Pages that were not read, by document and reason.
        bytes_source: Bytes of the documents observed.
        chunks: Chunks cut.
        vectors: Vectors by embedding space.
        cpu_seconds: CPU seconds of the workers, over the documents that say so.
        documents_per_cpu_hour: The rate of one core; ``None`` where nothing was measured.
        pages_per_cpu_second: The same in pages.
        planned_cost_usd: What the plans estimated.
        actual_cost_usd: What vendors charged, as far as known.
        actual_cost_known: Whether that is all; false where a vendor's price is unknown.
        planned_cost_per_1000_usd: Per 1,000 documents.
        actual_cost_per_1000_usd: Per 1,000 documents.
    """

    corpus: str
    root: str
    listed: int
    documents: int
    outstanding: int = 0
    refused: dict[str, int]
    refusals: tuple[RefusedDocument, ...]
    pages: dict[str, int]
    problems: tuple[PageProblem, ...]
    bytes_source: int
    chunks: int
    vectors: dict[str, int]
    cpu_seconds: float
    documents_per_cpu_hour: float | None
    pages_per_cpu_second: float | None
    planned_cost_usd: float
    actual_cost_usd: float
    actual_cost_known: bool = True
    planned_cost_per_1000_usd: float | None
    actual_cost_per_1000_usd: float | None
