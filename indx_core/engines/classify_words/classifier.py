"""The classifier ``words``: a label is carried when enough distinct words of its list occur in the text."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from indx_core.contracts.annotation import Label
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.engines.classify_words.matching import folded, occurs
from indx_core.engines.classify_words.settings import WordClassifierSettings
from indx_core.kit.taxonomy.table import Entry, Taxonomy, taxonomy
from indx_core.ports.classifier import Classified


class WordClassifier:
    """Reads the whole text. Confidence is the share of the list that occurs: a ratio, not a calibrated probability."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        table = _table()
        return AnnotatorDescriptor(
            id="words",
            port="classifier",
            units=("document", "page", "chunk"),
            provides=tuple(table.facets),
            distribution="indx-classifier-words",
            model=table.stamp(),
        )

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        facets = _table().facets
        return [_classified(folded(text), facets) for text in texts]


def _table() -> Taxonomy:
    return taxonomy(WordClassifierSettings.load().labels, WordClassifierSettings.variable("labels"))


def _classified(text: str, facets: Mapping[str, Mapping[str, Entry]]) -> Classified:
    answers = {facet: _ranked(text, labels) for facet, labels in facets.items()}
    return Classified({facet: labels for facet, labels in answers.items() if labels})


def _ranked(text: str, labels: Mapping[str, Entry]) -> tuple[Label, ...]:
    """Labels that reach their threshold, highest share first, then in the order of the table."""
    found = [
        Label(label=label, confidence=round(share, 6))
        for label, entry in labels.items()
        if (share := _share(text, entry)) is not None
    ]
    return tuple(sorted(found, key=lambda label: -label.confidence))


def _share(text: str, entry: Entry) -> float | None:
    """Share (0-1) of an entry's words that occur; ``None`` below its threshold."""
    words = _folded_words(entry.words)
    if not words:
        return None
    found = sum(occurs(word, text) for word in words)
    share = found / len(words)
    reached = found >= entry.threshold if isinstance(entry.threshold, int) else share >= entry.threshold
    return share if found and reached else None


@lru_cache(maxsize=4096)  # folding the table again would take as long as searching a page
def _folded_words(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded(word).strip() for word in words)
