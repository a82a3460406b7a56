"""The classifier ``zeroshot``: each label is a hypothesis, and the probability of its entailment the confidence."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence

from indx_core.contracts.annotation import Label
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.classify_zeroshot.settings import ZeroShotSettings
from indx_core.kit.encodable import encodable
from indx_core.kit.excerpt import excerpt
from indx_core.kit.models.files import model_label, resolve_model, unavailable
from indx_core.kit.taxonomy.table import Entry, Taxonomy, taxonomy
from indx_core.ports.classifier import Classified

_ID = "zeroshot"
_PACKAGES = ("onnxruntime", "tokenizers")
_CHARACTERS_PER_TOKEN = 16
"""More than any text has on average: a book is cut to this many before it is tokenized, not after."""


class ZeroShotClassifier:
    """Costs one pass of the model per label: the shipped table is 46 of them a text."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        settings = ZeroShotSettings.load()
        table, reason = _table(settings), _unavailable(settings)
        return AnnotatorDescriptor(
            id=_ID,
            port="classifier",
            units=("document", "page", "chunk"),
            provides=tuple(table.facets),
            distribution="indx-classifier-zeroshot",
            model=table.stamp(model_label(settings.model, settings.model_file)),
            available=reason is None,
            unavailable_reason=reason,
        )

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        settings = ZeroShotSettings.load()
        if (reason := _unavailable(settings)) is not None:
            raise CapabilityUnavailable(f"{_ID}: {reason}")
        table = _table(settings)
        folder = resolve_model(_ID, settings.model, _files(settings))
        from indx_core.engines.classify_zeroshot.engine import entailment

        model = entailment(folder, settings.model_file, settings.max_tokens)
        return [
            _classified(text, table.facets, settings, model.probabilities) if text.strip() else Classified()
            for text in texts
        ]


def _unavailable(settings: ZeroShotSettings) -> str | None:
    """Why the lane cannot run here, and what to do; ``None`` where it can."""
    if absent := [name for name in _PACKAGES if importlib.util.find_spec(name) is None]:
        return f"install the 'zeroshot' extra; missing: {', '.join(absent)}"
    return unavailable(settings.model, settings.variable("model"), _files(settings))


def _files(settings: ZeroShotSettings) -> tuple[str, ...]:
    return ("config.json", "tokenizer.json", settings.model_file)


def _table(settings: ZeroShotSettings) -> Taxonomy:
    return taxonomy(settings.labels, settings.variable("labels"))


def _classified(
    text: str,
    facets: Mapping[str, Mapping[str, Entry]],
    settings: ZeroShotSettings,
    probabilities: Callable[[str, Sequence[str]], list[float]],
) -> Classified:
    premise = excerpt(encodable(text).strip(), settings.max_tokens * _CHARACTERS_PER_TOKEN)
    answers: dict[str, tuple[Label, ...]] = {}
    for facet, labels in facets.items():
        found = probabilities(premise, [settings.hypothesis.replace("{}", entry.title) for entry in labels.values()])
        likely = [
            Label(label=label, confidence=round(probability, 6))
            for label, probability in zip(labels, found, strict=True)
            if probability >= settings.minimum_confidence
        ]
        if likely:
            answers[facet] = tuple(sorted(likely, key=lambda label: -label.confidence))
    return Classified(answers)
