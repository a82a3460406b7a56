"""A page as it looks, with the boxes of its chunks drawn on it: to see at a glance where each passage stands.

Belongs here: finding page and chunks, and drawing. Does not: rendering (``kit/render``), what asks for it (the command
``indx preview``, the job ``preview``), and pages that wait for a person (``review``).
"""

import io
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indx_core.app.ingest.listings import partition_name
from indx_core.contracts import tables as t
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import IndxConfig
from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire, open_document
from indx_core.kit.lake import Lake
from indx_core.kit.registry import Registry
from indx_core.kit.render.page import page_image
from indx_core.kit.render.settings import ChunkSettings

if TYPE_CHECKING:
    from PIL import Image

_COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#e377c2", "#8c564b")
"""Of consecutive boxes, so that two that touch are told apart."""
_LINE_SHARE = 500
"""The page's width in lines: an outline is one five-hundredth of it wide, 2 pixels at 120 dpi."""
_LABEL_SHARE = 50
"""The page's width in label heights."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A drawn page.

    Attributes:
        image: RGB, as displayed.
        boxed: Ids of the chunks drawn, in the order of their numbers on the picture.
        unboxed: Why the other chunks of the page have no box, with how many.
    """

    image: "Image.Image"
    boxed: tuple[str, ...]
    unboxed: dict[str, int]

    def png(self) -> bytes:
        """The picture, losslessly."""
        out = io.BytesIO()
        self.image.save(out, format="PNG", optimize=True)
        return out.getvalue()

    def thumbnail(self, width: int) -> bytes:
        """A JPEG of at most this many pixels across: small enough to be kept with an event."""
        small, out = self.image.copy(), io.BytesIO()
        small.thumbnail((width, width * 4))
        small.save(out, format="JPEG", quality=60)
        return out.getvalue()


def preview(lake: Lake, config: IndxConfig, registry: Registry, key: str, page: int) -> Preview:
    """Draw a page of an ingested document at ``INDX_CHUNK_DPI``.

    Args:
        lake: Holds the document's observation and chunks.
        config: Says which partition the document is in.
        registry: Fetches and opens it.
        key: Source key.
        page: 1-based page number.

    Raises:
        SourceUnreadable: The lake does not know the document or the page, or the source changed since it was read.
        UnsupportedMediaType: Pages of its type cannot be rendered.
        IndxError: It cannot be fetched.
    """
    partition = partition_name(key, config)
    sources = lake.read_document(t.SOURCES.name, partition, key)
    if sources is None or not sources.num_rows:
        raise SourceUnreadable(f"the lake has no document {key}", param="key", remedy="`indx ingest` it first")
    source = sources.to_pylist()[0]
    if not 1 <= page <= source["page_count"]:
        raise SourceUnreadable(f"{key} has pages 1 to {source['page_count']}", param="page", remedy="name one of them")
    with open_document(acquire(UriSource(uri=source["uri"]), registry), registry) as document:
        if document.digest != source["source_digest"]:
            raise SourceUnreadable("the source changed since it was read", remedy="ingest it again first")
        image = page_image(document, page, dpi=ChunkSettings.load().dpi).convert("RGB")
    chunks = lake.read_document(t.CHUNKS.name, partition, key)
    rows = [row for row in chunks.to_pylist() if row["page"] == page] if chunks is not None else []
    boxed = [row for row in rows if row["x0"] is not None]
    _draw(image, boxed)
    unboxed = Counter(row["bbox_reason"] for row in rows if row["x0"] is None)
    return Preview(image, tuple(row["chunk_id"] for row in boxed), dict(unboxed))


def _draw(image: "Image.Image", rows: list[dict[str, Any]]) -> None:
    """Outline each box and write the chunk's number beside it, outside where the page has room there."""
    from PIL import ImageDraw, ImageFont

    canvas = ImageDraw.Draw(image)
    line = max(1, round(image.width / _LINE_SHARE))
    font = ImageFont.load_default(max(10, image.width / _LABEL_SHARE))
    for place, row in enumerate(rows):
        colour = _COLOURS[place % len(_COLOURS)]
        box = [row["x0"] * image.width, row["y0"] * image.height, row["x1"] * image.width, row["y1"] * image.height]
        canvas.rectangle(box, outline=colour, width=line)
        label = row["chunk_id"].rpartition(":")[2]
        corner = (max(0.0, box[0] - canvas.textlength(label, font=font) - 2 * line), box[1])
        canvas.rectangle(canvas.textbbox(corner, label, font=font), fill=colour)
        canvas.text(corner, label, fill="white", font=font)
