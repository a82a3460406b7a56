"""Routing of labelled pages: how many go to the rung they should, which do not, and what distrust costs and gains.

Usage: ``python benchmarks/bench_routing.py [CORPUS]``, CORPUS being the folder of real files (default: the shared one;
without it only the pages made here are routed). Labels, their provenance and what they mean: ``cases/routing``.

The first table routes with the settings in force, through the observer and the planner: ``native`` is a first rung of
kind native-extraction, anything else counts as recognition, whether an engine for it is installed or not. The sweep
observes the same pages under other settings. Two errors are told apart, since their prices differ: a good layer that is
not believed costs recognition of a page (seconds, and some right letters); a bad one that is believed is garbage in the
lake, which nobody notices.
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from routing_pages import MADE

from indx_core.app.installation import Installation
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import IndxError
from indx_core.contracts.source import InlineSource, Source, UriSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.kit.settings import overriding
from indx_core.planning.decide import decide
from indx_core.planning.request import RequestParts

ROOT = Path(__file__).resolve().parent
DEFAULT_CORPUS = ROOT.parent.parent / "shared" / "corpus"
SHARE, TRUST = "INDX_PDF_GARBAGE_SHARE", "INDX_PDF_TRUST_INVISIBLE_TEXT"
SWEEP: tuple[dict[str, str], ...] = (
    *({SHARE: share} for share in ("0.03", "0.05", "0.1", "0.15", "0.18", "0.19", "0.2", "0.3", "0.5", "1")),
    {TRUST: "true"},
    {SHARE: "0.15", TRUST: "true"},
)


@dataclass(frozen=True)
class Label:
    """One labelled page. ``source`` is a path below the corpus, or the name of a made page."""

    source: str
    made: bool
    page: int
    kind: str
    layer: str
    expected: str
    why: str


@dataclass(frozen=True)
class Routed:
    """A label and where its page went: ``native``, ``ocr``, or the code of the document's refusal."""

    label: Label
    actual: str
    measures: dict[str, float]

    @property
    def right(self) -> bool:
        return self.actual == self.label.expected


def labels(corpus: Path) -> list[Label]:
    """Every label whose page is at hand, in the order of the files."""
    found = []
    for file in sorted((ROOT / "cases" / "routing").glob("*.json")):
        for row in json.loads(file.read_text(encoding="utf-8"))["pages"]:
            made = "made" in row
            name: str = row["made"] if made else row["path"]
            if made or (corpus / name).is_file():
                label = Label(name, made, row["page"], row["kind"], row["layer"], row["expected"], row.get("why", ""))
                found.append(label)
    return found


def routed(found: list[Label], corpus: Path, installation: Installation) -> list[Routed]:
    """Observe and plan each document once, and look up the pages that are labelled."""
    by_source: dict[tuple[str, bool], list[Label]] = {}
    for label in found:
        by_source.setdefault((label.source, label.made), []).append(label)
    answers: list[Routed] = []
    for (name, made), pages in by_source.items():
        source: Source = InlineSource(data=MADE[name]()) if made else UriSource(uri=(corpus / name).as_uri())
        answers += _routes(source, pages, installation)
    return answers


def _routes(source: Source, pages: list[Label], installation: Installation) -> list[Routed]:
    try:
        acquired = acquire(source, installation.registry)
        with open_document(acquired, installation.registry) as document:
            observation = observe_document(acquired, document, installation.registry)
    except IndxError as error:
        return [Routed(label, error.code or error.type, {}) for label in pages]
    plan = decide(observation, installation.snapshot, RequestParts(), installation.economics)
    answers = []
    for label in pages:
        first = installation.snapshot.capability(plan.route(label.page).capability_ids[0])
        native = first is not None and first.kind is CapabilityKind.NATIVE
        measures = observation.pages[label.page - 1].measures
        answers.append(Routed(label, "native" if native else "ocr", measures))
    return answers


def show(answers: list[Routed]) -> None:
    """Accuracy by kind, and every misroute."""
    total, right = Counter(a.label.kind for a in answers), Counter(a.label.kind for a in answers if a.right)
    print(f"{'kind':10} {'pages':>6} {'right':>6} {'share':>6}")
    for kind in sorted(total):
        print(f"{kind:10} {total[kind]:6} {right[kind]:6} {right[kind] / total[kind]:6.1%}")
    print(f"{'all':10} {total.total():6} {right.total():6} {right.total() / total.total():6.1%}")
    print("\nmisroutes (expected -> actual)")
    for answer in answers:
        if not answer.right:
            label = answer.label
            shares = " ".join(f"{name} {value:g}" for name, value in answer.measures.items() if name.endswith("share"))
            print(f"  {label.expected:>6} -> {answer.actual:6} {label.source} p{label.page}: {label.kind}; {label.why}")
            print(f"                   {shares}")


def errors(answers: list[Routed]) -> dict[str, int]:
    """Both errors, and what distrust got right."""
    pairs = Counter((a.label.layer, a.actual) for a in answers)
    return {
        "right": sum(a.right for a in answers),
        "good believed": pairs["good", "native"],
        "good distrusted": pairs["good", "ocr"],
        "bad believed": pairs["bad", "native"],
        "bad distrusted": pairs["bad", "ocr"],
    }


def main(arguments: list[str]) -> None:
    """Print both tables."""
    corpus = Path(arguments[0]) if arguments else DEFAULT_CORPUS
    found, installation = labels(corpus), Installation.current()
    print(f"{len(found)} labelled pages, {sum(label.made for label in found)} of them made\n")
    now = routed(found, corpus, installation)
    show(now)
    rows: list[tuple[str, dict[str, Any]]] = [("in force", errors(now))]
    for settings in SWEEP:
        with overriding(settings):
            named = " ".join(f"{name.removeprefix('INDX_PDF_').lower()}={value}" for name, value in settings.items())
            rows.append((named, errors(routed(found, corpus, installation))))
    print("\nsettings" + " " * 32 + "  ".join(f"{name:>15}" for name in rows[0][1]))
    for named, counts in rows:
        print(f"{named:40}" + "  ".join(f"{value:15}" for value in counts.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
