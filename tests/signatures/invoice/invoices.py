"""Invoices as text and as files, in both languages."""

import io

from office_builder import cell, docx, paragraph, xlsx

ENGLISH = """\
Acme Corp            INVOICE
Invoice number MRFL4LVY-0006
Date of issue April 1, 2026
Date due April 20, 2026
Max plan 1 $100.00 $100.00
Subtotal $100.00
Sales tax (10%) $10.00
Amount due $110.00
"""
JAPANESE = """\
御　請　求　書
請求書番号：ＫＴ－２０２６－００４２
発行日：２０２６年４月１日
お支払期限　令和8年4月30日
小計 100,000
消費税（10%） 10,000円
合計金額 110,000円
"""
LETTER = "Dear Sir, either party may invoice the other; payment is due within 30 days of the invoice. Total 5 pages.\n"


def pdf(*pages: str) -> bytes:
    """A PDF with a text layer, a line of Helvetica a line of text."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, invariant=1)
    for text in pages:
        for number, line in enumerate(text.splitlines()):
            canvas.drawString(72, 760 - 16 * number, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def sheet() -> bytes:
    """A workbook whose labels and values stand in cells beside each other."""
    lines = [("請求書", ""), ("請求書番号", "K-17"), ("お支払期限", "2026年5月31日"), ("合計金額", "¥110,000")]
    rows = "".join(
        f'<row r="{row}">{cell(f"A{row}", label, "inlineStr")}{cell(f"C{row}", value, "inlineStr") if value else ""}</row>'
        for row, (label, value) in enumerate(lines, start=1)
    )
    return xlsx(f"<sheetData>{rows}</sheetData>")


def letter() -> bytes:
    """A Word document of the English invoice's lines."""
    return docx("".join(paragraph(line) for line in ENGLISH.splitlines()))
