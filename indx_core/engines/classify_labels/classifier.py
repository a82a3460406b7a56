"""The classifier ``labels``: the label whose names and words a text is nearest to."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from indx_core.contracts.annotation import Label
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.engines.classify_labels.settings import LabelClassifierSettings
from indx_core.kit.excerpt import excerpt
from indx_core.kit.models.sentence_encoder import encode, encoder_name, encoder_unavailable
from indx_core.kit.taxonomy.table import Entry, Taxonomy, taxonomy
from indx_core.ports.classifier import Classified

_ID = "labels"
_BATCH = 64
"""Texts the encoder takes together: one by one they take 3.3 times the processor time (128 passages of JSQuAD)."""


class LabelClassifier:
    """Answers one label a facet. Its confidence is the margin over the runner-up, 0-1: how clear the choice was.

    A margin is no probability, and small ones are usual: most right answers on the benchmark lie between 0.02 and 0.2.
    """

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        table, reason = _table(LabelClassifierSettings.load()), encoder_unavailable()
        return AnnotatorDescriptor(
            id=_ID,
            port="classifier",
            units=("document", "page", "chunk"),
            provides=tuple(table.facets),
            distribution="indx-classifier-labels",
            model=table.stamp(None if reason else encoder_name()),
            available=reason is None,
            unavailable_reason=reason,
            batch=_BATCH,
        )

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        settings = LabelClassifierSettings.load()
        facets = _table(settings).facets
        told = [index for index, text in enumerate(texts) if text.strip()]
        answers = [Classified() for _text in texts]
        if not told:
            return answers
        heads = encode(_ID, [excerpt(texts[index].strip(), settings.max_characters) for index in told])
        for index, head in zip(told, heads, strict=True):
            found = {facet: _nearest(head, labels, settings.minimum_similarity) for facet, labels in facets.items()}
            answers[index] = Classified({facet: (label,) for facet, label in found.items() if label})
        return answers


def _table(settings: LabelClassifierSettings) -> Taxonomy:
    return taxonomy(settings.labels, settings.variable("labels"))


def _nearest(head: Any, labels: Mapping[str, Entry], minimum_similarity: float) -> Label | None:
    cosines = (_vectors(tuple(_described(entry) for entry in labels.values())) @ head).tolist()
    ranked = sorted(zip(cosines, labels, strict=True), key=lambda pair: -pair[0])
    best, label = ranked[0]
    if best < minimum_similarity:
        return None
    runner_up = max(ranked[1][0], 0.0) if len(ranked) > 1 else 0.0
    # Four digits: the last bits of a cosine depend on the batch.
    return Label(label=label, confidence=round(min(best - runner_up, 1.0), 4))


def _described(entry: Entry) -> str:
    """A label as the encoder reads it. Words beside the names: 36 of 40 documents right where names alone give 33."""
    return " ".join([*entry.names.values(), *entry.words])


@lru_cache(maxsize=64)
def _vectors(described: tuple[str, ...]) -> Any:
    return encode(_ID, described)
