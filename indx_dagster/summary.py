"""What an ingestion came to: documents, pages by status, chunks, vectors, refusals with their code, speed and cost.

Counted over the outcomes of the command and, for what was there before, over the lake's views. Prints nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from indx_core.app.ingest.charged import charged
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.ingest import Stage
from indx_core.execution.trace import known_cost
from indx_core.kit.lake import Lake
from indx_core.knowledge.sql import connect


@dataclass
class Tally:
    """Counts of one command's outcomes, added up as they arrive.

    Attributes:
        gone: Documents that were retired.
        serving: Retired ones, of before too, that serve on: what may be the same under another name is not read yet.
    """

    documents: int = 0
    keys: set[str] = field(default_factory=set)
    pages: Counter[str] = field(default_factory=Counter)
    chunks: int = 0
    vectors: int = 0
    cost_usd: float = 0.0
    cost_known: bool = True
    refusals: Counter[str] = field(default_factory=Counter)
    failures: list[DocumentOutcome] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    serving: int = 0

    def add(self, outcome: DocumentOutcome) -> None:
        """Count one outcome in."""
        self.documents += 1
        self.keys.add(outcome.task.key)
        usd, known = charged(outcome)
        self.cost_usd = known_cost([self.cost_usd, usd])
        self.cost_known = self.cost_known and known
        if outcome.failure is not None:
            self.refusals[outcome.failure.error.code or outcome.failure.error.type] += 1
            self.failures.append(outcome)
        reads = outcome.reports.get(Stage.PAGE_READS)
        if reads is not None:
            self.pages.update({status: count for status, count in reads.facts["pages"].items() if count})
        if Stage.CHUNKS in outcome.reports:
            self.chunks += outcome.reports[Stage.CHUNKS].facts["chunks"]
        if Stage.EMBEDDINGS in outcome.reports:
            spaces = outcome.reports[Stage.EMBEDDINGS].facts["spaces"]
            self.vectors += sum(space["vectors"] for space in spaces.values())

    def reasons(self) -> list[dict[str, str]]:
        """What did not go through in this command, and what to do about it."""
        failures = [(each.task.key, each.failure.error) for each in self.failures if each.failure is not None]
        return [
            {"document": key, "code": error.code or error.type, "message": error.message, "remedy": error.remedy}
            for key, error in failures
        ]

    @property
    def unrefused_failures(self) -> list[DocumentOutcome]:
        """Documents that failed for a reason that a rerun may change."""
        return [each for each in self.failures if each.failure is not None and not each.failure.permanent]


def corpus_state(lake: Lake, sources: Sequence[ListedSource]) -> dict[str, Any]:
    """What the lake holds of these corpora: the totals a second, idle run still wants to show."""
    corpora = sorted({source.corpus for source in sources})
    marks = ", ".join("?" for _ in corpora)
    mine = f"split_part(key, '/', 1) IN ({marks})"
    with connect(lake, ("sources", "pages", "chunks", "vectors", "refusals")) as connection:

        def rows(sql: str) -> list[tuple[Any, ...]]:
            return connection.execute(sql.format(mine=mine), corpora).fetchall()

        by_space = "SELECT embedding_space_id, count(*) FROM vectors WHERE {mine} GROUP BY 1 ORDER BY 1"
        return {
            "documents": rows("SELECT count(*) FROM sources WHERE {mine}")[0][0],
            "pages": dict(rows("SELECT status, count(*) FROM pages WHERE {mine} GROUP BY 1 ORDER BY 1")),
            "chunks": rows("SELECT count(*) FROM chunks WHERE {mine}")[0][0],
            "vectors": dict(rows(by_space)),
            "refusals": [
                {"document": key, "code": code, "message": message, "remedy": remedy}
                for key, code, message, remedy in rows(
                    "SELECT key, coalesce(code, type), message, remedy FROM refusals WHERE {mine} ORDER BY key"
                )
            ],
        }


def joined(counts: Iterable[tuple[str, int]]) -> str:
    """``completed 12, unreadable 1``."""
    return ", ".join(f"{name} {count:,}" for name, count in counts) or "none"
