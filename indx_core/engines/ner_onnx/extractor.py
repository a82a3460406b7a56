"""The extractor ``onnx``: windows of a text shown to the model, and its spans in the coordinates of the whole text."""

import re
from collections.abc import Iterator, Sequence

from indx_core.contracts.annotation import EntitySpan
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_onnx.model import LANE, TokenClassifier, load, unusable
from indx_core.engines.ner_onnx.settings import NerOnnxSettings
from indx_core.engines.ner_onnx.tags import spans
from indx_core.engines.ner_onnx.windows import halves, windows
from indx_core.kit.models.files import model_label
from indx_core.ports.extractor import Extracted

_HALF_PAIR = re.compile("[\ud800-\udfff]")


class OnnxExtractor:
    """Reads the whole text, window by window; an entity that a window's end cuts comes back in parts."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        settings, reason = NerOnnxSettings.load(), unusable()
        return AnnotatorDescriptor(
            id=LANE,
            port="extractor",
            units=("page", "chunk"),
            distribution="indx-ner-onnx",
            model=model_label(settings.model, settings.model_file),
            available=reason is None,
            unavailable_reason=reason,
        )

    def extract(self, texts: Sequence[str]) -> list[Extracted]:
        model = load()
        settings = NerOnnxSettings.load()
        try:
            return [Extracted(tuple(_entities(model, text, settings))) for text in texts]
        except CapabilityUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever onnxruntime raises
            raise CapabilityUnavailable(f"{LANE}: the model failed ({type(error).__name__})") from None


def _entities(model: TokenClassifier, text: str, settings: NerOnnxSettings) -> Iterator[EntitySpan]:
    readable = _HALF_PAIR.sub("\ufffd", text)  # half a surrogate pair cannot be handed to the tokenizer
    for start, end in windows(readable, settings.window_characters):
        yield from _in_window(model, text, readable, (start, end), settings)


def _in_window(
    model: TokenClassifier, text: str, readable: str, window: tuple[int, int], settings: NerOnnxSettings
) -> Iterator[EntitySpan]:
    start, end = window
    if not readable[start:end].strip():
        return
    encoding = model.encode(readable[start:end])
    if len(encoding.ids) > settings.max_tokens and end - start > 1:
        for half in halves(readable, start, end):
            yield from _in_window(model, text, readable, half, settings)
        return
    for label, first, last, score in spans(model.tag(encoding)):
        surface = text[start + first : start + last]
        kept = surface.strip()
        if kept and score >= settings.minimum_confidence:
            at = start + first + len(surface) - len(surface.lstrip())
            yield EntitySpan(label=label, surface=kept, start=at, end=at + len(kept), confidence=round(score, 6))
