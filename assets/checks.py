"""Asset checks: what must hold of every document, evaluated over each run, and per document only where it fails.

A per-document evaluation costs as much as a materialization (10 ms CPU on SQLite), so a document that passes is
counted in its run's evaluation and only one that does not gets its own, under its partition. A page that waits for a
person is a failed check, not a failed document.
"""

from collections.abc import Iterable, Iterator

import dagster as dg

from assets import broken
from assets.keys import asset_key
from assets.tables import table
from indx_core.app.ingest import verify
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.ingest import Stage

ACCEPTED = "documents_accepted"

_DESCRIPTIONS = {
    (Stage.OBSERVATION, ACCEPTED): "No document of the run was refused; refusals are in the `refusals` view.",
    (Stage.PAGE_READS, verify.PAGES_CONSERVED): "Pages observed = completed + failed + unreadable, per document.",
    (Stage.PAGE_READS, verify.PAGES_READABLE): "No page waits for a person.",
    (Stage.CHUNKS, verify.BOX_OR_REASON): "Every chunk has a box inside its page, or the reason it has none.",
    (Stage.EMBEDDINGS, verify.VECTORS_VALID): "Vectors are finite, of the declared dimension, and of norm 1.",
}
SHOWN = 20
"""Documents listed per check of a run."""
_WARNINGS = {ACCEPTED, verify.PAGES_READABLE}
"""Checks that say something of the content rather than of our own work."""


def check_specs() -> list[dg.AssetCheckSpec]:
    """Specs of every check."""
    of_runs = [
        dg.AssetCheckSpec(name, asset=asset_key(stage), description=description)
        for (stage, name), description in _DESCRIPTIONS.items()
    ]
    return [*of_runs, broken.SPEC]


class Verdicts:
    """What the checks found over a run: how many documents, and which do not pass what."""

    def __init__(self) -> None:
        self.documents = 0
        self._failing: dict[str, list[tuple[str, str]]] = {}

    def add(self, outcome: DocumentOutcome) -> None:
        """Count a document in."""
        self.documents += 1
        for name, message in findings(outcome).items():
            self._failing.setdefault(name, []).append((outcome.task.key, message))

    def evaluations(self, selected: Iterable[dg.AssetCheckKey]) -> Iterator[dg.AssetCheckEvaluation]:
        """One evaluation per selected check over all documents of the run, under no partition.

        Not ``AssetCheckResult``: making one asks for the run's partition range, and a run over a list has none.
        """
        for key in sorted(set(selected) - {broken.KEY}, key=lambda each: each.name):
            failing = self._failing.get(key.name, [])
            rows = [{"document": document, "finding": message} for document, message in failing[:SHOWN]]
            yield dg.AssetCheckEvaluation(
                asset_key=key.asset_key,
                check_name=key.name,
                passed=not failing,
                severity=_severity(key.name),
                metadata={"documents": self.documents, "failing": len(failing), "first": table(rows)},
            )


def evaluations(outcome: DocumentOutcome) -> list[dg.AssetCheckEvaluation]:
    """Evaluations under a document's own partition: of the checks it does not pass, and of those a person settled."""
    found = findings(outcome)
    settled = {verify.PAGES_READABLE} - found.keys() if _reviewed(outcome) else set()
    return [
        dg.AssetCheckEvaluation(
            asset_key=asset_key(stage),
            check_name=name,
            passed=name in settled,
            severity=_severity(name),
            metadata={"document": outcome.task.key, "finding": dg.MetadataValue.text(found.get(name, "none"))},
            partition=outcome.task.partition,
        )
        for stage, name in _DESCRIPTIONS
        if name in found or name in settled
    ]


def _reviewed(outcome: DocumentOutcome) -> bool:
    """Whether a person read a page of it: then an earlier run left a failed evaluation under its partition."""
    report = outcome.reports.get(Stage.PAGE_READS)
    return report is not None and bool(report.facts["pages_reviewed"])


def findings(outcome: DocumentOutcome) -> dict[str, str]:
    """Checks a document does not pass, each with what was found."""
    checks = (check for report in outcome.reports.values() for check in report.checks)
    found = {check.name: check.message for check in checks if not check.passed}
    if outcome.failure is not None:
        found[ACCEPTED] = outcome.failure.error.message
    return found


def _severity(name: str) -> dg.AssetCheckSeverity:
    return dg.AssetCheckSeverity.WARN if name in _WARNINGS else dg.AssetCheckSeverity.ERROR
