"""A small corpus through the real chain: a readme, a thread of mail, a rule with its copy, and a broken file."""

from pathlib import Path

from app.ingest.documents import OPTIONS, Corner

from indx_core.app.ingest.listing import record_listing
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
