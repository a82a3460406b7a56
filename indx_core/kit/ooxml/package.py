"""An Office package: its parts, content types and relationships, opened once per document.

Pages are found along relationships and never by member names: ``sheet1.xml`` need not be the first sheet. Knows nothing
of what a part means.
"""

import posixpath
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO
from urllib.parse import unquote

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.archive import Archive, PartDamaged
from indx_core.kit.ooxml.settings import PackageSettings
from indx_core.kit.ooxml.xml import Element, parse
from indx_core.ports.document import OpenDocument

_USUAL_MAIN_PARTS = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml")


@dataclass(frozen=True, slots=True)
class Relationship:
    """A link from a part to another.

    Attributes:
        id: Name inside the part that refers.
        type: Last segment of the type's URI, which strict and transitional share: ``slide``, ``comments``.
        target: Part name, or ``None`` where the target is outside the package.
        address: What is outside the package, as it is written; ``None`` where the target is a part.
    """

    id: str
    type: str
    target: str | None
    address: str | None = None


class Relationships:
    """The relationships of one part, in file order."""

    def __init__(self, items: tuple[Relationship, ...]) -> None:
        self.items = items
        self._by_id = {item.id: item for item in items}

    def find(self, relationship_id: str | None) -> Relationship | None:
        """The relationship of an id."""
        return self._by_id.get(relationship_id or "")

    def target(self, relationship_id: str | None) -> str | None:
        """Part behind an id; ``None`` when there is no such id or it leads outside."""
        item = self.find(relationship_id)
        return item.target if item else None

    @cached_property
    def linked(self) -> bool:
        """Whether anything in the part is a link out of the package."""
        return any(item.address and item.type == "hyperlink" for item in self.items)

    def address(self, relationship_id: str | None) -> str:
        """Where a link of an id leads; empty when there is no such id, or it is no link or one to a part."""
        item = self.find(relationship_id)
        return item.address or "" if item and item.type == "hyperlink" else ""

    def of_type(self, relationship_type: str) -> tuple[str, ...]:
        """Parts of a type, in file order."""
        return tuple(item.target for item in self.items if item.type == relationship_type and item.target)

    def first(self, relationship_type: str) -> str | None:
        """The first part of a type."""
        return next(iter(self.of_type(relationship_type)), None)


class Package:
    """An opened package. Trees and relationships are kept, since observing, reading and chunking all want them."""

    def __init__(self, data: bytes, limits: PackageSettings) -> None:
        """Open the package.

        Raises:
            SourceUnreadable: No Office package, or beyond a limit.
            SourceEncrypted: Its members are encrypted.
        """
        self._archive = Archive(data, limits)
        self._trees: dict[str, Element] = {}
        self._relationships: dict[str, Relationships] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Part names, in archive order."""
        return self._archive.names

    @cached_property
    def main_part(self) -> str:
        """The part the package is about: document, workbook or presentation.

        Raises:
            SourceUnreadable: There is none.
        """
        stated = self.relationships("").first("officeDocument")
        for name in (stated, *_USUAL_MAIN_PARTS):
            if name and self.has(name):
                return name
        raise SourceUnreadable("the package has no document, workbook or presentation in it")

    def content_type(self, part: str) -> str:
        """Content type of a part, lower-case; ``""`` when the package states none."""
        overrides, defaults = self._content_types
        folded = part.lower()
        return overrides.get(folded) or defaults.get(folded.rpartition(".")[2], "")

    def has(self, part: str | None) -> bool:
        """Whether the part exists."""
        return bool(part) and self._archive.find(part or "") is not None

    def read(self, part: str) -> bytes:
        """Bytes of a part. Raises as ``Archive.read`` does."""
        return self._archive.read(part)

    def open(self, part: str) -> BinaryIO:
        """A part as a limited stream."""
        return self._archive.open(part)

    def xml(self, part: str) -> Element:
        """Root element of a part, with short names; shared, so nobody may change it.

        Raises:
            PartDamaged: The part is missing or not well-formed.
            SourceUnreadable: It declares a document type or is beyond a limit.
        """
        if part not in self._trees:
            self._trees[part] = parse(self.read(part), part)
        return self._trees[part]

    def relationships(self, part: str) -> Relationships:
        """Relationships of a part; of the package itself for ``""``. Empty when it has none or they are damaged."""
        if part not in self._relationships:
            self._relationships[part] = self._read_relationships(part)
        return self._relationships[part]

    def close(self) -> None:
        """Release the archive."""
        self._archive.close()

    @cached_property
    def _content_types(self) -> tuple[dict[str, str], dict[str, str]]:
        overrides: dict[str, str] = {}
        defaults: dict[str, str] = {}
        for item in self.xml("[Content_Types].xml") if self.has("[Content_Types].xml") else ():
            content_type = item.get("ContentType", "").lower()
            if item.tag == "ct:Override":
                overrides[item.get("PartName", "").lstrip("/").lower()] = content_type
            elif item.tag == "ct:Default":
                defaults[item.get("Extension", "").lower()] = content_type
        return overrides, defaults

    def _read_relationships(self, part: str) -> Relationships:
        folder, name = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{name}.rels")
        try:
            root = self.xml(source) if self.has(source) else ()
        except PartDamaged:
            root = ()
        return Relationships(tuple(_relationship(item, folder) for item in root if item.tag == "rel:Relationship"))


def open_package(document: OpenDocument) -> Package:
    """The document's package, opened on first use and shared by everything that looks at the document.

    Raises:
        SourceUnreadable: No Office package, or beyond a limit of ``PackageSettings``.
        SourceEncrypted: Its members are encrypted.
    """
    return document.once("ooxml.package", lambda: Package(document.data, PackageSettings.load()), Package.close)


def _relationship(item: Element, folder: str) -> Relationship:
    external = item.get("TargetMode", "").lower() == "external"
    target = item.get("Target", "")
    return Relationship(
        id=item.get("Id", ""),
        type=item.get("Type", "").rstrip("/").rpartition("/")[2],
        target=None if external else _resolve(target, folder),
        address=target.strip() if external else None,
    )


def _resolve(target: str, folder: str) -> str | None:
    """A target is a relative or absolute part name, percent-encoded, at times with a fragment."""
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    joined = path if path.startswith("/") else posixpath.join("/", folder, path)
    name = posixpath.normpath(joined).lstrip("/")
    return name if name and name != "." else None
