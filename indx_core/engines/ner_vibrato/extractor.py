"""The extractor ``vibrato``: which tokenizer the settings ask for, and its spans."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts.annotation import EntitySpan
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_vibrato import mecab, vibrato_dictionary
from indx_core.engines.ner_vibrato.labels import LABELS
from indx_core.engines.ner_vibrato.settings import NerVibratoSettings
from indx_core.ports.extractor import Extracted

if TYPE_CHECKING:
    from indx_core.engines.ner_vibrato.tokens import Tokenize


class VibratoExtractor:
    """Reads the whole text, line by line; a name that a line end cuts is not put together again."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        dictionary, reason = NerVibratoSettings.load().dictionary, _unavailable()
        return AnnotatorDescriptor(
            id="vibrato",
            port="extractor",
            units=("page", "chunk"),
            provides=LABELS,
            distribution="indx-ner-vibrato",
            model=mecab.name() if dictionary is None else vibrato_dictionary.name(dictionary),
            available=reason is None,
            unavailable_reason=reason,
            batch=64,  # the dictionary is all there is of a model: a text takes milliseconds
        )

    def extract(self, texts: Sequence[str]) -> list[Extracted]:
        if (reason := _unavailable()) is not None:
            raise CapabilityUnavailable(f"vibrato: {reason}")
        tokenize = _tokenizer()
        return [Extracted(tuple(_spans(text, tokenize))) for text in texts]


def _unavailable() -> str | None:
    """Why the lane cannot run here, and what to do; ``None`` where it can. Opens no dictionary."""
    dictionary = NerVibratoSettings.load().dictionary
    if packages := mecab.missing() if dictionary is None else vibrato_dictionary.missing():
        return f"install the 'ja' extra; missing: {', '.join(packages)}"
    if dictionary is not None and not Path(dictionary).exists():
        variable = NerVibratoSettings.variable("dictionary")
        return f"{variable}: No such file or folder: correct it, or unset it to use the packaged dictionary"
    return None


def _tokenizer() -> "Tokenize":
    dictionary = NerVibratoSettings.load().dictionary
    return mecab.tokenize if dictionary is None else vibrato_dictionary.VibratoTokenizer(dictionary)


def _spans(text: str, tokenize: "Tokenize") -> list[EntitySpan]:
    from indx_core.engines.ner_vibrato.compounds import spans
    from indx_core.engines.ner_vibrato.tokens import tokens
    from indx_core.engines.ner_vibrato.words import words

    return [span for line in tokens(text, tokenize) for span in spans(text, words(text, line))]
