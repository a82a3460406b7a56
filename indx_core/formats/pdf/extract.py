"""One parse of a page for observer, reader and chunker: text, visual lines with boxes, signals.

PDFium parses a page's content when it is loaded, which is most of the cost of reading it. So whoever asks first has
the page loaded once, and what the others need stays in the document's cache in compact form while the page is closed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c

from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import Box, BoxReason, Link, TextLine
from indx_core.formats.pdf import annotations, links, native
from indx_core.formats.pdf.characters import Characters
from indx_core.formats.pdf.compose import EMPTY, Composed, compose
from indx_core.formats.pdf.drawn import Drawn, all_texts, look, opaque
from indx_core.formats.pdf.fontless import give_ink
from indx_core.formats.pdf.frame import Frame, page_frame
from indx_core.formats.pdf.lines import settled, visual_pieces
from indx_core.formats.pdf.settings import PdfSettings
from indx_core.formats.pdf.signals import Verdict, judge
from indx_core.kit.pdfium.opening import PageUnreadable, PdfFile, pdf_file, scratch_file
from indx_core.ports.document import OpenDocument


@dataclass(frozen=True, slots=True)
class PageText:
    """What one parse of a page yields.

    Attributes:
        verdict: Whether the text layer can be believed, with signals and measures.
        content: Its text and lines.
        problem: Why the page could not be parsed; everything else is empty then.
        links: Link annotations that lead out of the file.
    """

    verdict: Verdict
    content: Composed = EMPTY
    problem: str | None = None
    links: tuple[Link, ...] = ()

    def lines(self) -> tuple[TextLine, ...]:
        """The lines as the contract states them."""
        starts, ends = self.content.spans.T.tolist()
        lines = list(map(TextLine, starts, ends, starmap(Box, self.content.boxes.tolist())))
        for number in np.flatnonzero(np.isnan(self.content.boxes[:, 0])).tolist():
            reason = BoxReason.HIDDEN if self.content.outside[number] else BoxReason.UNRESOLVED
            lines[number] = TextLine(starts[number], ends[number], None, reason)
        return tuple(lines)


def page_text(document: OpenDocument, number: int, settings: PdfSettings) -> PageText:
    """The parse of a page, done on first use.

    Args:
        document: The source.
        number: 1-based page number.
        settings: When a text layer is believed; asked for again with other values, the page is parsed again.

    Raises:
        SourceEncrypted: The file opens only with a password.
        SourceUnreadable: The file does not open at all.
    """
    parsed: dict[tuple[int, PdfSettings], PageText] = document.once("pdf.pages", dict)
    key = (number, settings)
    if key not in parsed:
        parsed[key] = _parsed(document, number, settings)
    return parsed[key]


def _parsed(document: OpenDocument, number: int, settings: PdfSettings) -> PageText:
    try:
        file = pdf_file(document)
        with file.page(number) as page:
            present = annotations.kinds(page)
            anchors = links.anchors(file.document.raw, page) if present.links else []
            if not present.with_text:
                return _read(file, page, anchors, settings)
        scratch = scratch_file(document)
        annotated = document.once(f"pdf.flattened.{number}", lambda: _flattened(scratch, number))
        with scratch.page(number) as page:
            return _annotated(_read(scratch, page, anchors, settings), present, drawn=annotated)
    except PageUnreadable as error:
        return _lost(str(error))


def _flattened(scratch: PdfFile, number: int) -> bool:
    with scratch.page(number) as page:
        return annotations.flatten(page)


def _read(file: PdfFile, page: Any, anchors: list[links.Anchor], settings: PdfSettings) -> PageText:
    frame = page_frame(page)
    seen = look(page, frame)
    if seen.covered and not opaque(file.document.raw, page, seen.cover):
        seen.covered = 0
    # Fuzzed files state boxes of any size; a box that overflows comes out unknown.
    with np.errstate(all="ignore"), _text_page(page, seen, frame) as textpage:
        raw = native.raw_text(textpage)
        characters = Characters(textpage, raw, frame)
        text = settled(raw.text, characters)
        verdict = judge(textpage, text, seen, frame, settings)
        content = compose(text, visual_pieces(text, characters), characters, frame)
        linked = links.links(anchors, textpage, frame)
    return PageText(verdict, content, links=linked)


def _annotated(page: PageText, present: annotations.Kinds, *, drawn: bool) -> PageText:
    """A page with annotations that may be text; ``drawn``: they have appearances, which the text was read with.

    Viewers draw free text without an appearance all the same, so a page with nothing else is not blank.
    """
    verdict = page.verdict
    if present.free_text and "empty" in verdict.signals:
        reason = "the page shows annotations, and no layer has their text"
        verdict = Verdict(TextLayer.ABSENT, ("annotation",), verdict.measures, reason)
    elif drawn:
        verdict = verdict._replace(signals=tuple(sorted({*verdict.signals, "annotation"})))
    return replace(page, verdict=verdict)


@contextmanager
def _text_page(page: Any, seen: Drawn, frame: Frame) -> Iterator[Any]:
    textpage = pdfium_c.FPDFText_LoadPage(page)
    if textpage and pdfium_c.FPDFText_CountChars(textpage) < seen.text_count and give_ink(all_texts(page, frame)):
        pdfium_c.FPDFText_ClosePage(textpage)
        textpage = pdfium_c.FPDFText_LoadPage(page)
    if not textpage:
        raise PageUnreadable("the page's text cannot be parsed")
    try:
        yield textpage
    finally:
        pdfium_c.FPDFText_ClosePage(textpage)


def _lost(problem: str) -> PageText:
    verdict = Verdict(TextLayer.ABSENT, ("unreadable",), {}, problem)
    return PageText(verdict, problem=problem)
