"""Pictures of waiting pages for the person who is to read them, rendered from the source as it was observed."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from indx_core.app.review.queue import WaitingPage
from indx_core.contracts.errors import IndxError, RequestInvalid, SourceUnreadable
from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire, open_document
from indx_core.kit.registry import Registry
from indx_core.kit.render.page import page_png
from indx_core.kit.render.settings import ChunkSettings
from indx_core.ports.document import OpenDocument

PageId = tuple[str, int]


def write_images(
    waiting: Sequence[WaitingPage], folder: Path, registry: Registry
) -> tuple[dict[PageId, Path], dict[PageId, str]]:
    """Write ``<folder>/<key>/page-<n>.png`` for every page that can be rendered, at ``INDX_CHUNK_DPI``.

    Each document is fetched once; pages of one document must stand together.

    Returns:
        Paths by ``(key, page)``, and for the pages without a picture the reason.

    Raises:
        RequestInvalid: A key would lead out of the folder.
    """
    dpi = ChunkSettings.load().dpi
    paths: dict[PageId, Path] = {}
    without: dict[PageId, str] = {}
    for key, group in groupby(waiting, key=lambda page: page.key):
        pages = list(group)
        try:
            with open_document(acquire(UriSource(uri=pages[0].uri), registry), registry) as document:
                _require_same_bytes(document, pages[0])
                for each in pages:
                    try:
                        paths[key, each.page] = _written(folder, each, page_png(document, each.page, dpi=dpi))
                    except IndxError as error:
                        without[key, each.page] = error.message
        except IndxError as error:
            without |= {(key, each.page): error.message for each in pages if (key, each.page) not in paths}
    return paths, without


def _require_same_bytes(document: OpenDocument, page: WaitingPage) -> None:
    if document.digest != page.source_digest:
        raise SourceUnreadable("the source changed since it was read: ingest it again before anyone answers")


def _written(folder: Path, page: WaitingPage, png: bytes) -> Path:
    path = (folder / page.key / f"page-{page.page}.png").resolve()
    if not path.is_relative_to(folder.resolve()):
        raise RequestInvalid(f"the key {page.key} leads out of the folder", param="images")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png)
    return path
