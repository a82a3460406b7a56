"""What a document was charged for in the end, out of the reports of its stages. What it may cost is ``estimate.py``."""

from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.ingest import Stage
from indx_core.execution.trace import known_cost


def charged(outcome: DocumentOutcome) -> tuple[float, bool]:
    """What readers, embedders and annotators charged for a document, in USD, and whether that is all of it."""
    costs: list[float | None] = []
    if (reads := outcome.reports.get(Stage.PAGE_READS)) is not None:
        costs += [reads.facts["cost_usd"], 0.0 if reads.facts["cost_known"] else None]
    if (embedded := outcome.reports.get(Stage.EMBEDDINGS)) is not None:
        costs += [space["cost_usd"] for space in embedded.facts["spaces"].values()]
    if (annotated := outcome.reports.get(Stage.ANNOTATIONS)) is not None:
        costs.append(annotated.facts["cost_usd"])
    return known_cost(costs), None not in costs
