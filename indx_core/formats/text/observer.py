"""The text observer: decodes and counts pages. Opens no engine."""

from indx_core.contracts.observation import Finding, PageObservation, TextLayer
from indx_core.formats.text.pages import MEDIA_TYPES, decoded, page_texts
from indx_core.formats.text.settings import TextSettings
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed


class TextObserver:
    """Observes plain text, CSV and TSV. Recognises none: "it decodes" would claim JSON, XML and HTML too."""

    distribution = "indx-observer-text"
    media_types: tuple[str, ...] = MEDIA_TYPES

    def sniff(self, data: bytes) -> str | None:  # noqa: ARG002 - the port's signature
        return None

    def observe(self, document: OpenDocument) -> Observed:
        found = tuple(
            PageObservation(number=number, text_layer=TextLayer.PRESENT, signals=() if text.strip() else ("empty",))
            for number, text in enumerate(page_texts(document), start=1)
        )
        return Observed(found, findings=_encoding_finding(document))


def _encoding_finding(document: OpenDocument) -> tuple[Finding, ...]:
    """Which encoding decoded it, where that was not the first choice: the one decision that changes every character."""
    encoding = decoded(document).encoding
    if encoding == TextSettings.load().encoding[0]:
        return ()
    return (Finding(code="text_encoding", message=f"decoded as {encoding}, not the first of INDX_TEXT_ENCODING"),)
