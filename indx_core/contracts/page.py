"""What a reader returns for a page, and what a chunker cuts from it.

Plain frozen dataclasses, and tuples where a page has forty of them, rather than pydantic models: none goes on the wire.
Boxes are ``(x0, y0, x1, y1)``, 0-1, origin top left, of the page as displayed: crop box and rotation applied.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from indx_core.contracts.capability import Modality


class Box(NamedTuple):
    """A rectangle on the page as displayed: 0-1, origin top left, ``x0 <= x1`` and ``y0 <= y1``."""

    x0: float
    y0: float
    x1: float
    y1: float


class BoxReason(StrEnum):
    """Why a chunk has no box."""

    NO_GEOMETRY = "no_geometry"
    """The format knows no positions: worksheets, Word sections, text, mail."""
    HIDDEN = "hidden"
    """The source hides the shape; its text is read and nothing is drawn."""
    UNRESOLVED = "unresolved"
    """The format has positions and this one could not be resolved."""


class PageStatus(StrEnum):
    """How a page ended. Nothing is omitted: every observed page has exactly one."""

    COMPLETED = "completed"
    FAILED = "failed"
    """The attempt went wrong: the ladder descends."""
    UNREADABLE = "unreadable"
    """A verdict about the content, such as manual review's: the ladder stops."""


class TextLine(NamedTuple):
    """A line of a page's text: ``text[start:end]``, and where it stands.

    Attributes:
        start: First character, index into ``PageOutput.text``.
        end: One past the last character.
        box: ``None`` where the reader knows the line and not its place.
        reason: Why there is no box; ``None`` when there is one.
        confidence: The engine's own score, 0-1, where it gives one.
    """

    start: int
    end: int
    box: Box | None
    reason: BoxReason | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A table's cell. Rows and columns count from 0; spans are at least 1."""

    row: int
    column: int
    text: str
    row_span: int = 1
    column_span: int = 1
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A grid found on a page: a worksheet, a Word or slide table. ``rows`` x ``columns`` is its full size.

    Attributes:
        cells: Those that hold text, in row order; a merged cell once, at its top left.
        header_rows: How many leading rows the source marks as header.
        label: What the source calls it.
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    header_rows: int = 0
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A hyperlink that the source keeps beside the text: a PDF annotation, a link of an Office document.

    Attributes:
        target: Address or path as the source writes it; relative to the document where it is relative.
        text: The words that are marked; empty where a picture is, or nothing.
        box: Where they stand; ``None`` where the format knows no positions.
    """

    target: str
    text: str = ""
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class PageOutput:
    """A reader's answer for one page.

    Attributes:
        number: 1-based page number of the observation.
        status: Whether the page was read.
        text: The page's text; ``""`` on a page that was read and is blank.
        reason: Why it was not read, or a remark on how.
        confidence: The reader's own claim, 0-1; ``None`` when it makes none.
        lines: Text lines with their boxes, in reading order; empty when the reader knows none.
        tables: Grids found beside the text.
        metadata: Fields a specialised reader extracted (``invoice``, ``process_chart``), JSON-ready.
        cost_usd: What a vendor charged for this page; ``None`` when the price is unknown.
        findings: Coded remarks: ``(code, message)`` pairs.
        links: Hyperlinks out of the document; links within it are none.
    """

    number: int
    status: PageStatus = PageStatus.COMPLETED
    text: str = ""
    reason: str | None = None
    confidence: float | None = None
    lines: tuple[TextLine, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    cost_usd: float | None = 0.0
    findings: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()


class ChunkPiece(NamedTuple):
    """What a chunker cuts: text, or a rendered page as an image; a box, or the reason there is none.

    A tuple checks nothing while it is made; what a chunker answers is checked as a whole (``execution/chunk``).

    Attributes:
        text: The retrievable text; ``""`` for an image piece.
        box: Where it stands, or ``None``.
        reason: Why it has no box; exactly one of ``box`` and ``reason`` is set.
        image: PNG bytes of an image piece.
    """

    text: str
    box: Box | None = None
    reason: BoxReason | None = None
    image: bytes | None = None

    @property
    def modality(self) -> Modality:
        """What an embedder is given of it."""
        return Modality.TEXT if self.image is None else Modality.IMAGE
