"""What an observer saw of a document before anything read it: pages, signals, findings.

Private to planning: an Observation never goes on the wire, and a plan carries only public reasons. It is stored in the
lake, so every field is JSON-ready.
"""

from enum import StrEnum

from indx_core.contracts.base import Contract


class TextLayer(StrEnum):
    """Whether a page's own text can be read without recognition."""

    PRESENT = "present"
    ABSENT = "absent"
    UNTRUSTED = "untrusted"
    """There are characters, and they are garbage or stand invisibly over a scan: not a readable layer."""


class Finding(Contract):
    """A coded remark of tolerant parsing: what was repaired or left out, never a log line.

    Attributes:
        code: Stable machine name, such as ``xref_rebuilt``.
        message: One sentence for a person.
        page: Page it concerns; ``None`` for the document.
    """

    code: str
    message: str
    page: int | None = None


class PageObservation(Contract):
    """One page as the format states it.

    Attributes:
        number: 1-based; the same number names the same page for the reader and the chunker.
        text_layer: Whether text can be taken from the page itself.
        signals: Sorted names of what was seen: ``font``, ``image``, ``empty``, ``garbage_text``, ``invisible_text``, …
        measures: Numbers behind the signals, such as ``unmapped_share`` in 0-1. Sorted by key.
        label: What the format calls the page: a sheet's or a layout's name.
        hidden: Whether the format hides it (a hidden sheet or slide is still a page).
    """

    number: int
    text_layer: TextLayer
    signals: tuple[str, ...] = ()
    measures: dict[str, float] = {}
    label: str | None = None
    hidden: bool = False


class Observation(Contract):
    """A whole document, observed. Same bytes, same settings: same observation.

    Attributes:
        source_digest: ``sha256:<hex>`` of the bytes.
        media_type: As sniffed, or as declared where nothing recognised the bytes.
        byte_count: Length of the bytes.
        pages: In order, numbered from 1, none left out.
        findings: What tolerant parsing repaired or could not.
        properties: What the format declares of itself (``title``, ``language``, ``author``, …), verbatim.
        observer: Distribution that looked.
        sniffer: Distribution whose observer recognised the bytes; ``None`` when the declared type was believed.
        loader: Distribution that fetched the bytes; ``None`` for an inline source.
    """

    source_digest: str
    media_type: str
    byte_count: int
    pages: tuple[PageObservation, ...]
    findings: tuple[Finding, ...] = ()
    properties: dict[str, str] = {}
    observer: str
    sniffer: str | None = None
    loader: str | None = None
