"""A small corpus through the real chain: a readme, a thread of mail, a rule with its copy, and a broken file."""

from pathlib import Path

from app.ingest.documents import OPTIONS, Corner
from formats.pdf.pdf_builder import PdfBuilder
from office_builder import cell, docx, xlsx

from indx_core.app.ingest.listings import record_listing
from indx_core.contracts.ingest import Grain

RULE = "保存期間\n\n個人情報を含む書類の保存期間は九十日とする。期間を過ぎた書類は直ちに廃棄する。\n"


class ListedCorner(Corner):
    """A corner that also records its listing, as discovery does."""

    def record_listing(self) -> None:
        record_listing(self.lake, "corner", self.listed(), self.config)


def ingested(folder: Path, grain: Grain = Grain.SOURCE) -> ListedCorner:
    """The corpus, listed and taken through all six stages."""
    corner = ListedCorner(folder, grain, OPTIONS)
    corner.write("readme.txt", "The rule on retention is kept as 規程/copy.txt in this folder.\n")
    corner.write("規程/保存.txt", RULE)
    corner.write("規程/copy.txt", RULE)
    corner.write("mail/question.eml", _mail("<1@example.com>", "保存期間", "保存期間は何日ですか。"))
    corner.write("mail/answer.eml", _mail("<2@example.com>", "Re: 保存期間", "九十日です。", answers="<1@example.com>"))
    corner.write("broken.pdf", b"%PDF-1.7\nbroken")
    corner.record_listing()
    corner.run(*(corner.task(source.path) for source in corner.listed()))
    return corner


def linking() -> dict[str, bytes]:
    """Files that name each other by hyperlinks alone: a PDF, a Word document and a workbook point at one rule."""
    builder = PdfBuilder()
    annotation = (
        b"<< /Type /Annot /Subtype /Link /Rect [121 696 163 712] /A << /S /URI /URI (../rules/retention.txt) >> >>"
    )
    builder.page(b"BT /F1 12 Tf 100 700 Td (See our duty) Tj ET", extra=b"/Annots [" + annotation + b"]")
    clicked = '<w:p><w:hyperlink r:id="rLink"><w:r><w:t>what is kept</w:t></w:r></w:hyperlink></w:p>'
    site = '<w:p><w:hyperlink r:id="rSite"><w:r><w:t>our site</w:t></w:r></w:hyperlink></w:p>'
    formula = cell("A1", "days", "str", formula="HYPERLINK(&quot;../rules/retention.txt&quot;,&quot;days&quot;)")
    return {
        "a/board.pdf": builder.build(),
        "a/letter.docx": docx(
            clicked + site,
            [("rLink", "hyperlink", "..\\rules\\retention.txt"), ("rSite", "hyperlink", "https://example.com/")],
        ),
        "a/table.xlsx": xlsx(f'<sheetData><row r="1">{formula}</row></sheetData>'),
        "rules/retention.txt": RULE.encode(),
    }


def _mail(identity: str, subject: str, text: str, answers: str = "") -> str:
    lines = [
        "From: a@example.com",
        "To: b@example.com",
        f"Subject: {subject}",
        "Date: Tue, 2 Apr 2024 09:00:00 +0900",
        f"Message-ID: {identity}",
        *([f"In-Reply-To: {answers}", f"References: {answers}"] if answers else []),
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    return "\n".join(lines) + f"\n\n{text}\n"
