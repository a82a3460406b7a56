"""The files that scenarios speak of, made here or by the builders of other suites."""

import io
from pathlib import Path

from formats.pdf.pdf_builder import PdfBuilder, pixel_image
from office_builder import frame, pptx, shape
from PIL import Image
from scenarios.transports import Document
from signatures.invoice.invoices import ENGLISH, JAPANESE, pdf
from signatures.process_chart.charts import CASES

GOLDEN = Path(__file__).resolve().parents[1] / "golden"

INVOICE = Document(pdf(ENGLISH), "invoice.pdf")
JAPANESE_INVOICE = Document(JAPANESE.encode(), "請求書.txt")
NOTE = Document(b"The quarterly report is attached.\n", "note.txt")
PROCESS_CHART = Document(CASES["impregnation-line"](), "chart.pptx")
DRAWING = Document((GOLDEN / "dxf" / "sheets_r2000" / "input.dxf").read_bytes(), "drawing.dxf")


def scanned_pages(count: int) -> Document:
    """Pages that are a picture each, as a scanner makes them."""
    builder = PdfBuilder()
    for _ in range(count):
        builder.page(b"q 612 0 0 792 0 0 cm /Im1 Do Q", xobjects={"Im1": pixel_image(40, 40)})
    return Document(builder.build(), "scan.pdf")


def a_slide_with_a_hidden_note() -> Document:
    """One shape in sight and one that the file hides."""
    shown = shape(2, "売上高", frame(100, 100, 500, 200))
    hidden = shape(3, "非表示メモ", frame(0, 400, 300, 100), attributes='hidden="1"')
    return Document(pptx(shown + hidden), "deck.pptx")


def a_red_page() -> Document:
    """A picture for an image query."""
    out = io.BytesIO()
    Image.new("RGB", (300, 400), "red").save(out, "PNG")
    return Document(out.getvalue(), "red.png")
