"""Relationships and content types."""

import pytest
from office_builder import archive, docx, package, relationships

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.settings import PackageSettings
from indx_core.ports.document import OpenDocument

PART = "xl/workbook.xml"


def opened(*links: tuple[str, str, str]) -> Package:
    return Package(package("xlsx", "<x/>", links), PackageSettings())


@pytest.mark.parametrize(
    ("target", "part"),
    [
        ("sheets/one.xml", "xl/sheets/one.xml"),
        ("/xl/sheets/one.xml", "xl/sheets/one.xml"),
        ("../media/a.png", "media/a.png"),
        ("../../../../etc/passwd", "etc/passwd"),
        ("sheets/%E8%A1%A8.xml", "xl/sheets/表.xml"),
        ("sheets\\one.xml", "xl/sheets/one.xml"),
        ("sheets/one.xml#frag", "xl/sheets/one.xml"),
        ("https://example.org/x", None),
        ("", "xl"),
    ],
)
def test_targets_resolve_inside_the_package(target: str, part: str | None) -> None:
    assert opened(("r1", "worksheet", target)).relationships(PART).target("r1") == part


def test_relationship_types_are_told_by_their_last_segment() -> None:
    """Strict packages use other URIs for the same types."""
    found = opened(("r1", "worksheet", "a.xml"), ("r2", "chartsheet", "b.xml")).relationships(PART)
    assert found.first("chartsheet") == "xl/b.xml"
    assert found.of_type("worksheet") == ("xl/a.xml",)
    assert found.target("none") is None
    assert found.target(None) is None


def test_the_main_part_is_found_by_its_relationship_and_not_by_its_name() -> None:
    data = archive({"_rels/.rels": relationships([("r", "officeDocument", "odd/place.xml")]), "odd/place.xml": "<x/>"})
    assert Package(data, PackageSettings()).main_part == "odd/place.xml"


def test_without_relationships_the_usual_place_is_tried() -> None:
    assert Package(archive({"word/document.xml": "<x/>"}), PackageSettings()).main_part == "word/document.xml"


def test_a_package_without_a_main_part_is_unreadable() -> None:
    with pytest.raises(SourceUnreadable, match="no document, workbook or presentation"):
        _ = Package(archive({"a.xml": "<x/>"}), PackageSettings()).main_part


def test_a_document_is_opened_once_and_closed_with_it() -> None:
    with OpenDocument(docx(""), "x") as document:
        first = open_package(document)
        assert open_package(document) is first
        assert first.xml("word/document.xml") is first.xml("word/document.xml")
