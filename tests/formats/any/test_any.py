"""Manual review, and the two chunkers that know no format."""

import pytest

from indx_core.contracts.page import Box, BoxReason, PageOutput, PageStatus, TextLine
from indx_core.formats.any.chunkers import LinesChunker, PageChunker
from indx_core.formats.any.manual import ManualReviewReader
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_chunker, check_reader

BOX = Box(0.1, 0.2, 0.3, 0.4)
LOCATED = PageOutput(
    1,
    text="one\n  \ntwo 😀\nthree",
    lines=(
        TextLine(0, 3, BOX),
        TextLine(4, 6, BOX),
        TextLine(7, 12, None, BoxReason.HIDDEN),
        TextLine(13, 18, None),
    ),
)
UNLOCATED = PageOutput(2, text="plain", lines=(TextLine(0, 5, None, BoxReason.NO_GEOMETRY),))
BLANK = PageOutput(3, text=" \n ")
FAILED = PageOutput(4, PageStatus.FAILED, reason="no", text="left over", lines=(TextLine(0, 4, BOX),))
UNREADABLE = PageOutput(5, PageStatus.UNREADABLE, reason="no")
PAGES = [LOCATED, UNLOCATED, BLANK, FAILED, UNREADABLE]


def _document() -> OpenDocument:
    return OpenDocument(b"", "image/png")


@pytest.mark.parametrize("chunker", [LinesChunker(), PageChunker()])
def test_the_general_chunkers_conform(chunker: LinesChunker | PageChunker) -> None:
    check_chunker(chunker, _document, PAGES)


def test_manual_review_conforms_and_accounts_for_every_page() -> None:
    check_reader(ManualReviewReader(), _document, [1, 2, 3])
    outputs = list(ManualReviewReader().read(_document(), [3, 1]))
    assert [(output.number, output.status) for output in outputs] == [
        (3, PageStatus.UNREADABLE),
        (1, PageStatus.UNREADABLE),
    ]
    assert all(output.reason for output in outputs)


def test_a_located_line_is_a_chunk_and_the_others_say_why_they_have_no_box() -> None:
    chunked = LinesChunker().chunk(_document(), PAGES)
    assert list(chunked) == [1]
    assert [(piece.text, piece.box, piece.reason) for piece in chunked[1]] == [
        ("one", BOX, None),
        ("two 😀", None, BoxReason.HIDDEN),
        ("three", None, BoxReason.UNRESOLVED),
    ]


def test_the_floor_keeps_one_chunk_per_readable_page_that_is_not_blank() -> None:
    chunked = PageChunker().chunk(_document(), PAGES)
    assert {number: [piece.text for piece in pieces] for number, pieces in chunked.items()} == {
        1: [LOCATED.text],
        2: ["plain"],
    }
    assert chunked[2][0].reason is BoxReason.NO_GEOMETRY


def test_only_the_page_chunker_is_a_floor() -> None:
    assert (LinesChunker().fallback, PageChunker().fallback) == (False, True)
