"""A workbook: its sheets in tab order, the enumerator of its pages, and what all sheets share."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from indx_core.contracts.errors import SourceUnreadable
from indx_core.formats.office.settings import OfficeSettings
from indx_core.formats.office.sheet.number_format import Renderer
from indx_core.formats.office.sheet.strings import shared_strings
from indx_core.formats.office.sheet.styles import format_codes, is_japanese
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.markup import is_on
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.xml import Element
from indx_core.ports.document import OpenDocument


class SheetKind(StrEnum):
    """What a tab holds."""

    CELLS = "cells"
    CHART = "chart"
    DIALOG = "dialog"
    MISSING = "missing"
    """The tab's part is not in the file."""


_KINDS = {"chartsheet": SheetKind.CHART, "dialogsheet": SheetKind.DIALOG}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One tab.

    Attributes:
        number: 1-based page number: its place among the tabs, hidden ones included.
        name: What the tab says.
        kind: What it holds.
        hidden: Whether it is hidden, or hidden so that only a macro can show it.
        part: Its part; ``None`` when missing.
    """

    number: int
    name: str
    kind: SheetKind
    hidden: bool
    part: str | None


class Workbook:
    """A workbook, opened.

    Attributes:
        package: Its package.
        sheets: Every tab, in order.
    """

    def __init__(self, package: Package) -> None:
        """Read the list of tabs.

        Raises:
            SourceUnreadable: There is no workbook part, it is damaged, or it lists no sheet, which Excel never writes.
        """
        self.package = package
        self._root = package.xml(package.main_part)
        self._relationships = package.relationships(package.main_part)
        listed = self._root.find("s:sheets")
        items = () if listed is None else listed.findall("s:sheet")
        self.sheets = tuple(self._sheet(number, item) for number, item in enumerate(items, start=1))
        if not self.sheets:
            raise SourceUnreadable("the workbook lists no sheet")

    @cached_property
    def from_1904(self) -> bool:
        """Whether serial numbers of dates count from 1904."""
        properties = self._root.find("s:workbookPr")
        return properties is not None and is_on(properties.get("date1904"))

    @cached_property
    def renderer(self) -> Renderer:
        """Renders the values of this workbook."""
        return Renderer(from_1904=self.from_1904, japanese=is_japanese(self._styles))

    @cached_property
    def codes(self) -> list[str]:
        """The format code of every cell style."""
        return format_codes(self._styles, OfficeSettings.load().short_date)

    @cached_property
    def strings(self) -> list[str]:
        """Every shared string.

        Raises:
            PartDamaged: Their part is not well-formed.
        """
        return shared_strings(self.package, self._relationships.first("sharedStrings"))

    @cached_property
    def persons(self) -> dict[str, str]:
        """Names of those who wrote threaded comments, by their id."""
        people = {}
        for part in self._relationships.of_type("person"):
            for person in self.package.xml(part) if self.package.has(part) else ():
                people[person.get("id", "")] = person.get("displayName", "")
        return people

    @cached_property
    def _styles(self) -> Element | None:
        part = self._relationships.first("styles")
        try:
            return self.package.xml(part) if part and self.package.has(part) else None
        except PartDamaged:
            return None

    def _sheet(self, number: int, item: Element) -> Sheet:
        relationship = self._relationships.find(item.get("r:id"))
        part = relationship.target if relationship else None
        kind = SheetKind.MISSING
        if relationship and self.package.has(part):
            kind = _KINDS.get(relationship.type, SheetKind.CELLS)
        hidden = item.get("state", "visible") != "visible"
        return Sheet(number, item.get("name", ""), kind, hidden, part if kind is not SheetKind.MISSING else None)


def open_workbook(document: OpenDocument) -> Workbook:
    """The document's workbook, opened once and shared.

    Raises:
        SourceUnreadable: It is no readable workbook.
        SourceEncrypted: Its members are encrypted.
    """
    return document.once("office.workbook", lambda: Workbook(open_package(document)))
