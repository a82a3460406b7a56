"""What people answered of pages: stored by the digest of the bytes they looked at, one object per page.

Content-addressed, so that the reader, which knows bytes and no source key, finds them; that a copy of a document has
the same answers; and that those of an older version are out of reach. One object per page, so that two people at one
document never overwrite each other. Does not know which pages wait, or how an answer becomes a run (``app/review``).
"""

from collections.abc import Sequence
from typing import NamedTuple

from indx_core.contracts.tables import REVIEWS
from indx_core.kit.lake import Lake, encode_table, object_name, partition_of, rows_table


class Answer(NamedTuple):
    """A page's text as a person wrote it (``""`` for a blank page), and who that was.

    Attributes:
        page: 1-based page number.
        key: The document it was answered for.
    """

    page: int
    text: str
    reviewer: str
    key: str


def stored_answers(lake: Lake, digest: str, pages: Sequence[int] | None = None) -> dict[int, Answer]:
    """Answers for a source by page number, of these pages or of all. One listing where there are none.

    Args:
        lake: Where answers are kept.
        digest: ``sha256:<hex>`` of the source's bytes.
        pages: 1-based page numbers; ``None`` for all.

    Raises:
        LakeUnavailable: The store did not answer. Taking that for "no answer" would lose a person's work silently.
    """
    folder = object_name(REVIEWS.name, f"{digest}/1").rpartition("/")[0]
    found = {}
    for stored in lake.store.list(folder):
        page = _page_of(partition_of(REVIEWS.name, stored.name))
        if page is None or (pages is not None and page not in pages):
            continue
        table = lake.read(REVIEWS.name, f"{digest}/{page}")
        for row in table.to_pylist() if table is not None else ():
            found[page] = Answer(page, row["text"], row["reviewer"], row["key"])
    return dict(sorted(found.items()))


def answered_pages(lake: Lake) -> dict[str, set[int]]:
    """Pages with an answer by source digest: one listing of the lake, nothing is opened."""
    found: dict[str, set[int]] = {}
    for partition in lake.partitions(REVIEWS.name):
        page = _page_of(partition)
        if page is not None:
            found.setdefault(partition.rpartition("/")[0], set()).add(page)
    return found


def store_answer(lake: Lake, digest: str, answer: Answer) -> None:
    """Store an answer in the place of an earlier one of the same page."""
    row = {**answer._asdict(), "source_digest": digest}
    lake.write(REVIEWS.name, f"{digest}/{answer.page}", encode_table(rows_table(REVIEWS.name, [row])))


def _page_of(partition: str | None) -> int | None:
    number = (partition or "").rpartition("/")[2]
    return int(number) if number.isascii() and number.isdigit() else None
