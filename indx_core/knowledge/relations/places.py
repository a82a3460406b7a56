"""Which chunk of a document a link stands in. Knows nothing of where the link leads."""

from collections.abc import Sequence

from indx_core.contracts.page import Box
from indx_core.knowledge.relations.directory import normal
from indx_core.knowledge.relations.documents import PageLink, Passage


class Places:
    """The passages of a document by their page."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._by_page: dict[int | None, list[Passage]] = {}
        for passage in passages:
            self._by_page.setdefault(passage.page, []).append(passage)

    def of(self, link: PageLink) -> str:
        """Id of the passage round the link's box; without boxes, of the first that has its words; else empty."""
        on_page = self._by_page.get(link.page, [])
        box, words = link.link.box, normal(link.link.text)
        if box is not None and (found := next((each for each in on_page if each.box and _inside(box, each.box)), None)):
            return found.chunk_id
        if words and (found := next((each for each in on_page if words in normal(each.text)), None)):
            return found.chunk_id
        return on_page[0].chunk_id if len(on_page) == 1 else ""


def _inside(link: Box, passage: Box) -> bool:
    """Whether the middle of the link lies in the passage's box."""
    x, y = (link.x0 + link.x1) / 2, (link.y0 + link.y1) / 2
    return passage.x0 <= x <= passage.x1 and passage.y0 <= y <= passage.y1
