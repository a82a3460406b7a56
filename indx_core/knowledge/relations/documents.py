"""What relating takes and gives: documents with their passages in, edges out. Finds nothing itself."""

from dataclasses import dataclass, field
from typing import NamedTuple

from indx_core.contracts.knowledge import Relation
from indx_core.contracts.page import Box, Link


class Passage(NamedTuple):
    """A chunk: its id and its text, and where it stands as far as that is known."""

    chunk_id: str
    text: str
    page: int | None = None
    box: Box | None = None


class PageLink(NamedTuple):
    """A hyperlink that is not in the text, and the page it stands on."""

    link: Link
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    """A document as far as relations go.

    Attributes:
        id: Its id in the space.
        path: Path below the root.
        uri: Address it was loaded from; empty where it has none.
        digest: ``sha256:<hex>`` of its bytes; empty where unknown.
        title: Title it declares.
        properties: What its format declares; mail: ``message_id``, ``in_reply_to``, ``references``.
        passages: Its chunks, in order.
        links: Hyperlinks that are not in its text.
    """

    id: str
    path: str
    uri: str = ""
    digest: str = ""
    title: str = ""
    properties: dict[str, str] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    links: tuple[PageLink, ...] = ()

    @property
    def folder(self) -> str:
        """Its folder below the root; empty for the root."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """Last segment of its path."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """Its name without the extension."""
        head, dot, _ = self.name.rpartition(".")
        return head if dot and head else self.name


@dataclass(slots=True)
class Edges:
    """What was found.

    Attributes:
        graph: Edges between documents and folders, each with its source, sorted.
        chunks: Edges that leave a chunk, by its id; the target of a reference is a path.
    """

    graph: list[Relation] = field(default_factory=list)
    chunks: dict[str, list[Relation]] = field(default_factory=dict)
