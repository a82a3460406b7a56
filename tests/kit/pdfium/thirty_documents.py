"""Observes, reads and draws thirty PDFs of six kinds, and says nothing: ``test_quiet`` runs it and looks."""

import gc

from formats.pdf.pdf_builder import PdfBuilder, encrypted, filled_form, for_certificates, line, one_page
from formats.pdf.pdf_builder import refused_by_pdfium as refused

from indx_core.contracts.errors import IndxError
from indx_core.formats.pdf.observer import PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.kit.render.page import page_png
from indx_core.ports.document import OpenDocument


def with_a_lost_page() -> bytes:
    """The page tree counts a page that the file does not hold."""
    builder = PdfBuilder()
    builder.page(line("First", 72, 700))
    builder.page_numbers.append(99)
    return builder.build()


def use(data: bytes) -> None:
    with OpenDocument(data, "application/pdf") as document:
        try:
            numbers = [page.number for page in PdfObserver().observe(document).pages]
            assert len(list(NativeExtraction().read(document, numbers))) == len(numbers)
            for number in numbers:
                assert page_png(document, number, dpi=36)
        except IndxError:
            pass


if __name__ == "__main__":
    text = one_page(line("Hello", 72, 700))
    kinds = (text, filled_form(), encrypted(text, "secret"), for_certificates(text), refused(text), with_a_lost_page())
    for _ in range(5):
        for kind in kinds:
            use(kind)
        gc.collect()
    print("done")
