"""Classification: how often each free lane's best label is right on labelled documents, beside outside baselines.

Usage: ``python benchmarks/bench_classification.py [--misses]``. Reads ``benchmarks/cases/classification`` (each file
states where its labels come from); documents of the shared corpus are skipped where it is absent. ``right`` counts a
best label that the case accepts, ``precision`` is its share of the answers given, ``recall`` of all documents: a lane
may have no opinion.

Baselines, which share no code with the lanes:

- ``most named``: the label whose Japanese or English name occurs most often in the text;
- ``nearest bigrams``: the label whose name and words have the highest cosine of character bigram counts, no model;
- ``always one``: the commonest label of the set, for what a number is worth.

``words then labels`` asks both lanes as a request naming them in this order would: the first opinion wins. The bare
encoder is timed on the same heads of texts as the ``labels`` lane reads, to show what the lane adds.
"""

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from indx_core.engines.classify_labels.classifier import LabelClassifier
from indx_core.engines.classify_labels.settings import LabelClassifierSettings
from indx_core.engines.classify_words.classifier import WordClassifier
from indx_core.formats.pdf import CONTRIBUTION as PDF
from indx_core.kit.excerpt import excerpt
from indx_core.kit.models.sentence_encoder import encode
from indx_core.kit.registry import build
from indx_core.kit.taxonomy.table import Entry, taxonomy
from indx_core.ports.classifier import Classifier
from indx_core.ports.document import OpenDocument

T = TypeVar("T")
HERE = Path(__file__).resolve().parent
CASES = HERE / "cases" / "classification"
CORPUS = HERE.parent.parent / "shared" / "corpus"


class Case(NamedTuple):
    id: str
    accepted: tuple[str, ...]
    text: str


class CaseSet(NamedTuple):
    name: str
    facet: str
    cases: list[Case]
    skipped: int


Lane = Callable[[Sequence[str], str], list[str | None]]
"""Texts and a facet to the best label of each, ``None`` without an opinion."""


def load(file: Path, corpus: Path) -> CaseSet:
    found = json.loads(file.read_text("utf-8"))
    cases, skipped = [], 0
    for case in found["cases"]:
        text = case.get("text") or read(corpus / case["path"])
        if text is None:
            skipped += 1
        else:
            cases.append(Case(case["id"], tuple(case["labels"]), text))
    return CaseSet(file.stem, found["facet"], cases, skipped)


def read(path: Path) -> str | None:
    """The whole text layer of a PDF, as the document block of an encode would hold it."""
    if not path.is_file():
        return None
    registry = build([("pdf", PDF)])
    with OpenDocument(path.read_bytes(), "application/pdf") as document:
        pages = registry.observers[0].observe(document).pages
        outputs = registry.readers[0].read(document, [page.number for page in pages])
        return "\n".join(output.text for output in sorted(outputs, key=lambda output: output.number))


# -- lanes and baselines ----------------------------------------------------------------------------------------------


def lane(classifier: Classifier) -> Lane:
    def best(texts: Sequence[str], facet: str) -> list[str | None]:
        answers = [answer.facets.get(facet, ()) for answer in classifier.classify(texts)]
        return [labels[0].label if labels else None for labels in answers]

    return best


def first_of(*lanes: Lane) -> Lane:
    def best(texts: Sequence[str], facet: str) -> list[str | None]:
        columns = zip(*(each(texts, facet) for each in lanes), strict=True)
        return [next((label for label in column if label), None) for column in columns]

    return best


def most_named(texts: Sequence[str], facet: str) -> list[str | None]:
    def best(text: str) -> str | None:
        counts = {
            label: sum(text.lower().count(name.lower()) for name in entry.names.values())
            for label, entry in entries(facet).items()
        }
        label, count = max(counts.items(), key=lambda item: item[1])
        return label if count else None

    return [best(text) for text in texts]


def nearest_bigrams(texts: Sequence[str], facet: str) -> list[str | None]:
    described = {
        label: bigrams(" ".join([*entry.names.values(), *entry.words])) for label, entry in entries(facet).items()
    }

    def best(text: str) -> str | None:
        own = bigrams(text)
        score, label = max((cosine(own, each), label) for label, each in described.items())
        return label if score else None

    return [best(text) for text in texts]


def always_one(cases: Sequence[Case]) -> Lane:
    commonest = Counter(case.accepted[0] for case in cases).most_common(1)[0][0]
    return lambda texts, _facet: [commonest for _text in texts]


def entries(facet: str) -> dict[str, Entry]:
    return dict(taxonomy(None, "").facets[facet])


def bigrams(text: str) -> Counter[str]:
    flat = "".join(text.lower().split())
    return Counter(flat[at : at + 2] for at in range(len(flat) - 1))


def cosine(left: Counter[str], right: Counter[str]) -> float:
    norm = math.sqrt(sum(n * n for n in left.values()) * sum(n * n for n in right.values()))
    return sum(n * right[pair] for pair, n in left.items()) / norm if norm else 0.0


# -- measuring --------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="root of the corpus of real files")
    parser.add_argument("--misses", action="store_true", help="list the documents that a lane of ours got wrong")
    arguments = parser.parse_args()
    words, labels = lane(WordClassifier()), lane(LabelClassifier())
    words(["warm"], "document_type")
    labels(["warm"], "document_type")
    for file in sorted(CASES.glob("*.json")):
        found = load(file, arguments.corpus)
        skipped = f", {found.skipped} skipped: the corpus is absent" if found.skipped else ""
        print(f"\n{found.name}: {len(found.cases)} documents, facet {found.facet}{skipped}")
        if not found.cases:
            continue
        print(f"{'lane':20}{'answered':>9}{'right':>7}{'precision':>11}{'recall':>8}{'ms/document':>13}")
        ours = {"words": words, "labels": labels, "words then labels": first_of(words, labels)}
        baselines = {
            "most named": most_named,
            "nearest bigrams": nearest_bigrams,
            "always one": always_one(found.cases),
        }
        for name, each in (ours | baselines).items():
            wrong = score(name, each, found)
            if arguments.misses and wrong and name in ours:
                print(*(f"    {line}" for line in wrong), sep="\n")
        bare_encoder(found)


def score(name: str, each: Lane, found: CaseSet) -> list[str]:
    """Print a lane's row; return its misses."""
    texts = [case.text for case in found.cases]
    answers, seconds = timed(lambda: each(texts, found.facet))
    answered = sum(answer is not None for answer in answers)
    pairs = list(zip(answers, found.cases, strict=True))
    right = sum(answer in case.accepted for answer, case in pairs)
    precision = f"{right / answered:.2f}" if answered else "-"
    milliseconds = seconds * 1000 / len(texts)
    print(f"{name:20}{answered:9}{right:7}{precision:>11}{right / len(texts):8.2f}{milliseconds:13.1f}")
    wrong = [(case, answer) for answer, case in pairs if answer not in case.accepted]
    return [f"{case.id}: {answer or 'no opinion'}, not {' or '.join(case.accepted)}" for case, answer in wrong]


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What it returns, and the CPU-seconds of the best of three: other processes share the machine."""
    best = math.inf
    for _attempt in range(3):
        started = time.process_time()
        result = work()
        best = min(best, time.process_time() - started)
    return result, best


def bare_encoder(found: CaseSet) -> None:
    limit = LabelClassifierSettings.load().max_characters
    heads = [excerpt(case.text.strip(), limit) for case in found.cases]
    _vectors, seconds = timed(lambda: encode("bench", heads))
    print(f"{'(bare encoder)':55}{seconds * 1000 / len(heads):13.1f}")


if __name__ == "__main__":
    main()
