"""Chunkers in order: who has a page, what a broken one costs."""

from collections.abc import Sequence

from execution.plans import document

from indx_core.contracts.page import ChunkPiece, PageOutput, PageStatus
from indx_core.execution.chunk import cut
from indx_core.kit.registry import Contribution
from indx_core.ports.document import OpenDocument
from indx_core.testing.fakes import FakeChunker, fake_registry


def pages(*texts: str) -> list[PageOutput]:
    return [PageOutput(number, text=text) for number, text in enumerate(texts, start=1)]


def test_the_first_chunker_with_an_answer_has_the_page_and_the_floor_gets_the_rest() -> None:
    lines = FakeChunker(id="lines", distribution="lines", skips=frozenset({2}))
    floor = FakeChunker(id="floor", distribution="floor", fallback=True)
    result = cut(document("a", "b"), pages("a", "b"), fake_registry(Contribution(chunkers=(floor, lines))))
    assert [(chunk.page, chunk.index, chunk.chunker) for chunk in result.chunks] == [(1, 1, "lines"), (2, 1, "floor")]
    assert [(c.role, c.distribution, c.pages) for c in result.components] == [
        ("chunker", "lines", (1,)),
        ("chunker", "floor", (2,)),
    ]


def test_a_deployment_may_put_a_chunker_before_the_others_and_even_the_floor() -> None:
    first = FakeChunker(id="first", distribution="first")
    floor = FakeChunker(id="floor", distribution="floor", fallback=True)
    result = cut(document("a"), pages("a"), fake_registry(Contribution(chunkers=(first, floor))), ("floor",))
    assert [chunk.chunker for chunk in result.chunks] == ["floor"]


def test_a_chunker_that_breaks_is_left_out_with_a_finding_and_its_pages_are_cut_by_the_next() -> None:
    """A misconfigured chunker shows in coarser chunks and a finding, never in a lost document."""
    broken = FakeChunker(id="broken", distribution="broken", error=ValueError("INDX_CHUNK_DPI"))
    floor = FakeChunker(id="floor", distribution="floor", fallback=True)
    result = cut(document("a"), pages("a"), fake_registry(Contribution(chunkers=(broken, floor))))
    assert [chunk.chunker for chunk in result.chunks] == ["floor"]
    assert [finding.code for finding in result.findings] == ["chunker_failed"]


def test_a_chunker_of_another_media_type_is_not_asked() -> None:
    other = FakeChunker(id="other", media_types=("application/pdf",), error=AssertionError("must not be asked"))
    result = cut(document("a"), pages("a"), fake_registry(Contribution(chunkers=(other,))))
    assert (result.chunks, result.findings) == ([], [])


def test_an_installation_without_chunkers_yields_no_chunks() -> None:
    assert cut(document("a"), pages("a"), fake_registry(Contribution(readers=()))).chunks == []


def test_chunks_come_in_page_order_with_indices_from_one() -> None:
    chunker = FakeChunker()
    result = cut(
        document("a", "b"),
        [PageOutput(1, text="a\n\nb"), PageOutput(2, PageStatus.FAILED), PageOutput(3, text="c")],
        fake_registry(Contribution(chunkers=(chunker,))),
    )
    assert [(chunk.page, chunk.index) for chunk in result.chunks] == [(1, 1), (1, 2), (3, 1)]


class PlacelessChunker(FakeChunker):
    """Cuts every page into one piece without a box and without a reason."""

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        return {page.number: [ChunkPiece(page.text)] for page in pages}


def test_a_chunker_whose_pieces_have_neither_a_box_nor_a_reason_is_left_out_like_one_that_breaks() -> None:
    placeless = PlacelessChunker(id="placeless", distribution="placeless")
    floor = FakeChunker(id="floor", distribution="floor", fallback=True)
    result = cut(document("a"), pages("a"), fake_registry(Contribution(chunkers=(placeless, floor))))
    assert [chunk.chunker for chunk in result.chunks] == ["floor"]
    assert ["a box or a reason" in finding.message for finding in result.findings] == [True]
