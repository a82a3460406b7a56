"""Pages that wait for a person, out of the lake; and the rules an answer has to meet before it is stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from indx_core.app.review.applied import MANUAL
from indx_core.contracts.errors import RequestInvalid, SourceUnreadable
from indx_core.contracts.page import PageStatus
from indx_core.formats.any.answers import Answer, answered_pages, store_answer
from indx_core.kit.lake import Lake
from indx_core.knowledge.sql import connect


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """A page that was not read.

    Attributes:
        key: Its document.
        page: 1-based page number.
        label: What the format calls it.
        status: ``unreadable`` or ``failed``.
        reason: Why it was not read.
        tried: What was attempted before, as ``capability: reason``, in order.
        answered: Whether an answer is stored that no run has taken up yet.
        uri: Address of the document.
        source_digest: ``sha256:<hex>`` of the bytes that were observed.
    """

    key: str
    page: int
    label: str | None
    status: str
    reason: str
    tried: tuple[str, ...]
    answered: bool
    uri: str
    source_digest: str


def waiting_pages(lake: Lake, corpus: str | None = None) -> list[WaitingPage]:
    """Every page with status unreadable or failed, by document and page.

    Args:
        lake: Holds page reads.
        corpus: Only documents of this corpus.
    """
    answered = answered_pages(lake)
    with connect(lake, ("pages", "sources", "trace")) as connection:
        rows = connection.execute(_WAITING, [PageStatus.COMPLETED.value, corpus, corpus]).fetchall()
    return [
        WaitingPage(
            key, page, label, status, reason or "", tuple(tried or ()), page in answered.get(digest, ()), uri, digest
        )
        for key, page, label, status, reason, tried, uri, digest in rows
    ]


def record_answer(lake: Lake, key: str, page: int, text: str, reviewer: str) -> list[str]:
    """Store what a person read on a page.

    Args:
        lake: Holds page reads; takes the answer.
        key: The document the person looked at.
        page: 1-based page number.
        text: What stands on the page; ``""`` when it is blank. Line ends become line feeds.
        reviewer: Who answers.

    Returns:
        Documents to read again, sorted: ``key``, and every other one of the same bytes that has this page.

    Raises:
        SourceUnreadable: The lake knows no such document or page.
        RequestInvalid: The page was read by something else than a person, its route ends in none, or the answer
            itself is no text or names nobody.
    """
    text, reviewer = _checked(text, reviewer)
    with connect(lake, ("pages", "sources")) as connection:
        rows = connection.execute(_PAGE, [key, page]).fetchall()
        if not rows:
            raise SourceUnreadable(
                f"the lake has no page {page} of {key}", param="page", remedy="`indx review list` shows what waits"
            )
        digest, status, capability_id, reason = rows[0]
        if capability_id != MANUAL:
            raise _not_a_persons(key, page, status, capability_id, reason)
        same = [row[0] for row in connection.execute(_SAME_BYTES, [digest, page, MANUAL]).fetchall()]
    store_answer(lake, digest, Answer(page, text, reviewer, key))
    return same


def open_count(lake: Lake, keys: Sequence[str]) -> int:
    """Pages of these documents that still wait."""
    with connect(lake, ("pages",)) as connection:
        sql = "SELECT count(*) FROM pages WHERE status <> ? AND list_contains(?, key)"
        row = connection.execute(sql, [PageStatus.COMPLETED.value, list(keys)]).fetchone()
    return int(row[0]) if row else 0


def _checked(text: str, reviewer: str) -> tuple[str, str]:
    """The answer as it is stored: what no text column may hold is refused, not repaired."""
    text, reviewer = text.replace("\r\n", "\n").replace("\r", "\n"), reviewer.strip()
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise RequestInvalid("the text holds a NUL or half a character", param="text")
    if not reviewer or not reviewer.isprintable():
        raise RequestInvalid("an answer names its reviewer in printable characters", param="reviewer")
    return text, reviewer


def _not_a_persons(key: str, page: int, status: str, capability_id: str | None, reason: str | None) -> RequestInvalid:
    if status == PageStatus.COMPLETED.value:
        return RequestInvalid(f"page {page} of {key} was read by {capability_id}", param="page", remedy="")
    return RequestInvalid(
        f"the route of page {page} of {key} ended before a person was asked: {reason or status}",
        param="page",
        remedy="change the corpus's constraints so that its plan ends in manual-review, and ingest it again",
    )


_WAITING = """
SELECT p.key, p.page, p.label, p.status, p.reason,
       list(t.actual_capability_id || ': ' || coalesce(t.reason, t.validation_check, t.status) ORDER BY t.event)
           FILTER (WHERE t.event IS NOT NULL),
       s.uri, s.source_digest
FROM pages p JOIN sources s USING (key)
LEFT JOIN trace t ON t.key = p.key AND t.status = 'failed' AND list_contains(t.pages, p.page)
WHERE p.status <> ? AND (?::VARCHAR IS NULL OR split_part(p.key, '/', 1) = ?)
GROUP BY ALL ORDER BY p.key, p.page
"""
_PAGE = """
SELECT s.source_digest, p.status, p.capability_id, p.reason
FROM pages p JOIN sources s USING (key) WHERE p.key = ? AND p.page = ?
"""
_SAME_BYTES = """
SELECT p.key FROM pages p JOIN sources s USING (key)
WHERE s.source_digest = ? AND p.page = ? AND p.capability_id = ? ORDER BY p.key
"""
