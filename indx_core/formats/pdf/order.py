"""Reading order of a page's pieces, and which of them stand on one visual line.

Pure functions over ``runs.Piece``. PDFium's order is the content's own, and is kept, with one exception that was
measured: columns of vertical Japanese.
"""

from collections.abc import Iterator

from indx_core.formats.pdf.runs import Flow, Piece

_OVERLAP = 0.5
"""Share of the lower piece's height that the other must cover for both to stand on one line."""


def visual_lines(pieces: list[Piece]) -> list[list[Piece]]:
    """Pieces in reading order, grouped by the visual line they stand on."""
    if any(piece.flow is Flow.DOWN for piece in pieces):
        pieces = list(_columns_right_to_left(pieces))
    lines: list[list[Piece]] = []
    for piece in pieces:
        if lines and _continues(lines[-1][-1], piece):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return lines


def apart(left: Piece, right: Piece) -> bool:
    """Whether two pieces of one line have a space between them, as wide as a fifth of their size."""
    return right.box[0] - left.box[2] > 0.2 * min(left.size, right.size)


def _continues(line: Piece, piece: Piece) -> bool:
    """Whether a piece stands right behind a line, at its height: a superscript, or what follows one."""
    if line.flow is not Flow.ACROSS or piece.flow is not Flow.ACROSS:
        return False
    size = min(line.size, piece.size)
    gap = piece.box[0] - line.box[2]
    return -0.2 * size < gap < size and _overlap(line.box[1::2], piece.box[1::2]) > _OVERLAP


def _columns_right_to_left(pieces: list[Piece]) -> Iterator[Piece]:
    """Vertical columns read from right to left; PDFium sorts columns that start at one height from left to right."""
    tier: list[Piece] = []
    for number, piece in enumerate(pieces):
        column = _column(pieces, number)
        if tier and not (column and _overlap(tier[0].box[1::2], piece.box[1::2])):
            yield from _from_the_right(tier)
            tier = []
        if column:
            tier.append(piece)
        else:
            yield piece
    yield from _from_the_right(tier)


def _column(pieces: list[Piece], number: int) -> bool:
    """Whether a piece is a vertical column. A single character has no direction of its own: its neighbours say."""
    piece = pieces[number]
    if piece.flow is Flow.DOWN or piece.end - piece.start > 1:
        return piece.flow is Flow.DOWN
    return any(other.flow is Flow.DOWN for other in pieces[max(0, number - 1) : number + 2])


def _from_the_right(tier: list[Piece]) -> list[Piece]:
    return sorted(tier, key=lambda piece: -piece.box[0])


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Share of the shorter of two intervals that the other covers; 0 where they do not meet."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return max(0.0, shared / max(1e-6, min(one[1] - one[0], other[1] - other[0])))
