"""What a run came to, as tags of the run: documents by what became of them, and dollars. For the list of runs."""

from collections import Counter
from dataclasses import dataclass, field

from indx_core.app.ingest.charged import charged
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.execution.trace import known_cost

OUTCOME = "indx/outcome"
"""Run tag: ``processed 198, refused 2``; what failed for a passing reason is ``to be retried``."""
COST = "indx/cost_usd"
"""Run tag: what was charged; ``at least`` where somebody names no price."""


@dataclass
class Totals:
    """Counts of one run's outcomes, added up as they arrive."""

    cost_usd: float = 0.0
    cost_known: bool = True
    documents: Counter[str] = field(default_factory=Counter)

    def add(self, outcome: DocumentOutcome) -> None:
        """Count one outcome in."""
        usd, known = charged(outcome)
        self.cost_usd = known_cost([self.cost_usd, usd])
        self.cost_known = self.cost_known and known
        failure = outcome.failure
        self.documents["processed" if failure is None else "refused" if failure.permanent else "to be retried"] += 1

    def tags(self) -> dict[str, str]:
        """The run's tags."""
        became = ", ".join(f"{name} {count}" for name, count in sorted(self.documents.items()))
        return {OUTCOME: became or "nothing", COST: f"{'' if self.cost_known else 'at least '}{self.cost_usd:g}"}
