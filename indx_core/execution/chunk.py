"""Asking the chunkers in order: installed, built in, floors last; the first with an answer for a page has it.

A chunker that breaks (a misconfigured one raises) is left out for that document with a finding, and the page floor cuts
its pages instead: coarser chunks, nothing lost. An installation without chunkers yields no chunks and no vectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from indx_core.contracts.observation import Finding
from indx_core.contracts.page import ChunkPiece, PageOutput
from indx_core.contracts.plan import Component
from indx_core.kit.registry import Registry
from indx_core.ports.chunker import Chunker
from indx_core.ports.document import OpenDocument


@dataclass(slots=True)  # not frozen: that triples the price of making one, and a page has forty
class PlacedChunk:
    """A piece at its place: ``page`` and ``index`` (within the page) count from 1, as in ``page:2/chunk:9``."""

    page: int
    index: int
    piece: ChunkPiece
    chunker: str


@dataclass(slots=True)
class Cut:
    """A document's chunks in reading order, who cut which pages, and what went wrong on the way."""

    chunks: list[PlacedChunk] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def cut(document: OpenDocument, pages: Sequence[PageOutput], registry: Registry, preferred: Sequence[str] = ()) -> Cut:
    """Cut every page.

    Args:
        document: The source, for chunkers that render.
        pages: Pages as the ladder left them, every status included.
        registry: Who is installed.
        preferred: Chunker ids asked before the others, in this order.
    """
    result = Cut()
    by_page: dict[int, tuple[list[ChunkPiece], str]] = {}
    for chunker in _order(registry.chunkers, preferred):
        outstanding = [page for page in pages if page.number not in by_page]
        if not outstanding:
            break
        if chunker.media_types and document.media_type not in chunker.media_types:
            continue
        answered = _ask(chunker, document, outstanding, result)
        by_page.update((number, (pieces, chunker.distribution)) for number, pieces in answered.items())
        if answered:
            pages_cut = tuple(sorted(answered))
            result.components.append(
                Component(role="chunker", distribution=chunker.distribution, id=chunker.id, pages=pages_cut)
            )
    for page in pages:
        pieces, distribution = by_page.get(page.number, ([], ""))
        result.chunks += [PlacedChunk(page.number, index, piece, distribution) for index, piece in enumerate(pieces, 1)]
    return result


def _order(chunkers: Sequence[Chunker], preferred: Sequence[str]) -> list[Chunker]:
    rank = {chunker_id: index for index, chunker_id in enumerate(preferred)}
    return sorted(chunkers, key=lambda chunker: (rank.get(chunker.id, len(rank)), chunker.fallback))


def _ask(
    chunker: Chunker, document: OpenDocument, outstanding: Sequence[PageOutput], result: Cut
) -> dict[int, list[ChunkPiece]]:
    wanted = {page.number for page in outstanding}
    try:
        answered = chunker.chunk(document, outstanding)
        for pieces in answered.values():
            _require_places(pieces)
    except Exception as error:  # noqa: BLE001 - see the module's second sentence
        message = f"{chunker.distribution} was left out: {type(error).__name__}: {error}"
        result.findings.append(Finding(code="chunker_failed", message=message))
        return {}
    return {number: pieces for number, pieces in answered.items() if number in wanted}


def _require_places(pieces: Sequence[ChunkPiece]) -> None:
    if any((piece.box is None) == (piece.reason is None) for piece in pieces):
        raise ValueError("a chunk has a box or a reason for having none, never both and never neither")
