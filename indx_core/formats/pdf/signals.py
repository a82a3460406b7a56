"""Whether a page's text layer can be believed, and the numbers that say so.

Decides from counts; how they are got is in ``drawn`` and ``native``.
"""

from typing import Any, NamedTuple

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c

from indx_core.contracts.observation import TextLayer
from indx_core.formats.pdf import native
from indx_core.formats.pdf.clean import meaningless
from indx_core.formats.pdf.drawn import PAGE_WIDE, Drawn
from indx_core.formats.pdf.frame import Frame
from indx_core.formats.pdf.settings import PdfSettings

_EVERY = 64
"""Unmapped characters are first looked for in one of sixty-four: a font's worth of them shows, and it costs 1 %."""
_ALL_UP_TO = 512
"""Pages with fewer characters are looked through at once."""

_FULL_PAGE = 0.5
"""Images that cover at least this much of a page make it a scan, whose hidden text is a scanner's recognition."""
_MOSTLY = 0.5
"""Hidden text is a layer of its own when at least this share of the text objects is hidden."""

_STAMP = 40
"""Fewer characters, all in the margin of a page that is one image, are a stamp on a scan: a page number, a Bates
number, the name of the scanner's software. A slide's title on a photograph stands further in."""
_MARGIN = 0.08
"""Share of the page's width or height that its margin takes on each side."""

_LEGIBLE = 0.5
"""Codes without a mapping that are ASCII all the same (bitmap fonts of TeX) give mostly small letters; glyph numbers
shown as characters ("7KLV LV") give hardly any."""


class Verdict(NamedTuple):
    """The state of a text layer with its signals (sorted) and the measures behind them."""

    layer: TextLayer
    signals: tuple[str, ...]
    measures: dict[str, float]
    reason: str | None


def judge(textpage: Any, text: str, drawn: Drawn, frame: Frame, settings: PdfSettings) -> Verdict:
    """Judge the text layer of an open page. ``reason`` says why it cannot be read, ``None`` where it can."""
    written = not (text == "" or text.isspace())
    anything = written or bool(drawn.images or drawn.others or drawn.inked_texts())
    signals = {
        name
        for name, seen in (
            ("font", drawn.text_count),
            ("image", drawn.images),
            ("path", drawn.others),
            ("empty", not anything),
        )
        if seen
    }
    measures: dict[str, float] = {"characters": float(len(text))}
    _note(measures, "image_share", drawn.image_share(frame) if drawn.images else 0.0)
    if not written:
        blank = not anything
        layer = TextLayer.PRESENT if blank else TextLayer.ABSENT
        return Verdict(layer, tuple(sorted(signals)), measures, None if blank else "the page has no text layer")
    signals.add("font")
    reason = None
    if measures.get("image_share", 0.0) >= _FULL_PAGE:
        _note(measures, "invisible_share", drawn.invisible_share())
        if measures.get("invisible_share", 0.0) >= _MOSTLY:
            signals.add("invisible_text")
            if not settings.trust_invisible_text:
                reason = "the text layer is invisible text over a page image"
        elif measures["image_share"] >= PAGE_WIDE and len(text) < _STAMP and _marginal(textpage, frame):
            signals.add("stamp")
            reason = "the page is an image, and a few characters in its margin are its only text"
    if _garbage_share(textpage, text, measures) >= settings.garbage_share:
        signals.add("garbage_text")
        reason = "the text layer is garbage: too many of its characters have no meaning"
    layer = TextLayer.UNTRUSTED if reason else TextLayer.PRESENT
    return Verdict(layer, tuple(sorted(signals)), dict(sorted(measures.items())), reason)


def _marginal(textpage: Any, frame: Frame) -> bool:
    """Whether the middle of every character lies in the page's margin."""
    width, height = frame.right - frame.left, frame.top - frame.bottom
    boxes = native.loose_boxes(textpage, range(pdfium_c.FPDFText_CountChars(textpage)))
    boxes = boxes[~np.isnan(boxes).any(axis=1)]
    across = ((boxes[:, 0] + boxes[:, 2]) / 2 - frame.left) / width
    down = ((boxes[:, 1] + boxes[:, 3]) / 2 - frame.bottom) / height
    inner = (abs(across - 0.5) < 0.5 - _MARGIN) & (abs(down - 0.5) < 0.5 - _MARGIN)
    return not bool(inner.any())


def _garbage_share(textpage: Any, text: str, measures: dict[str, float]) -> float:
    said_nothing = meaningless(text)
    length = len(text)
    replaced = sum(char in "\ufffd\ufffe\uffff" or "\ud800" <= char <= "\udfff" for char in said_nothing)
    controls = sum(char < "\xa0" for char in said_nothing)
    _note(measures, "replacement_share", replaced / length)
    _note(measures, "control_share", controls / length)
    _note(measures, "private_use_share", (len(said_nothing) - replaced - controls) / length)
    unmapped, legible = _unmapped(textpage)
    _note(measures, "unmapped_share", unmapped)
    return max(len(said_nothing) / length, 0.0 if legible else unmapped)


def _unmapped(textpage: Any) -> tuple[float, bool]:
    """Share of characters without a Unicode mapping, and whether their bare codes read as text all the same."""
    count = pdfium_c.FPDFText_CountChars(textpage)
    step = 1 if count <= _ALL_UP_TO else _EVERY
    if not any(native.unmapped(textpage, range(0, count, step))):
        return 0.0, True
    flags = native.unmapped(textpage, range(count))
    codes = [pdfium_c.FPDFText_GetUnicode(textpage, index) for index, flag in enumerate(flags) if flag]
    if not codes:
        return 0.0, True
    small = sum(1 for code in codes if 0x61 <= code <= 0x7A)
    return len(codes) / count, small >= _LEGIBLE * len(codes)


def _note(measures: dict[str, float], name: str, value: float) -> None:
    """Keep a measure that is not zero, rounded: most pages have none of them."""
    if value:
        measures[name] = round(value, 4)
