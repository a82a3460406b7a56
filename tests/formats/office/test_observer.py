"""Recognising Office packages, and what the observer says of them."""

import zipfile

import pytest
from office_builder import archive, docx, frame, package, paragraph, pptx, relationships, replaced, rows, shape, xlsx

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.formats.office import CONTRIBUTION
from indx_core.formats.office.media_types import DOCX, MEDIA_TYPES, PPTX, XLSX
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.kit import registry
from indx_core.ports.chunker import Chunker
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observer
from indx_core.ports.reader import Reader

sniff = OfficeObserver().sniff


@pytest.mark.parametrize(
    ("data", "media_type"),
    [(docx(""), DOCX), (xlsx(rows(["a"])), XLSX), (pptx(""), PPTX)],
    ids=["docx", "xlsx", "pptx"],
)
def test_an_office_package_is_known_by_its_member_list(data: bytes, media_type: str) -> None:
    assert sniff(data) == media_type


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_macros_templates_and_shows_have_media_types_of_their_own(media_type: str) -> None:
    kind = "docx" if "word" in media_type else "xlsx" if "excel" in media_type or "sheet" in media_type else "pptx"
    content_type = f"{media_type.removesuffix('.12')}.main+xml"
    assert sniff(package(kind, "<x/>", content_type=content_type)) == media_type


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK",
        b"PK\x03\x04 a lone header",
        b"%PDF-1.7",
        archive({"META-INF/MANIFEST.MF": "x"}),
        archive({"mimetype": "application/epub+zip"}),
        package("xlsx", "x", content_type="application/vnd.ms-excel.sheet.binary.macroEnabled.main"),
    ],
    ids=["empty", "two bytes", "cut off", "pdf", "jar", "epub", "xlsb"],
)
def test_other_archives_are_not_office_packages(data: bytes) -> None:
    assert sniff(data) is None


def test_a_zip_bomb_is_still_known_so_that_it_is_refused_by_name() -> None:
    bomb = archive({"word/document.xml": b" " * 20_000_000}, zipfile.ZIP_DEFLATED)
    assert sniff(bomb) == DOCX
    with OpenDocument(bomb, DOCX) as document, pytest.raises(SourceUnreadable, match="zip bomb"):
        OfficeObserver().observe(document)


def test_an_odd_content_type_falls_back_on_the_main_part_s_folder() -> None:
    assert sniff(package("docx", "<x/>", content_type="application/odd+xml")) == DOCX


def test_declared_properties_are_kept_verbatim_with_the_language() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>報告書</dc:title><dc:creator>佐藤</dc:creator>'
        "<dc:language>ja-JP</dc:language><dc:subject> </dc:subject></cp:coreProperties>"
    )
    links = relationships(
        [("r1", "officeDocument", "word/document.xml"), ("r2", "core-properties", "docProps/core.xml")]
    )
    data = replaced(docx(""), {"_rels/.rels": links, "docProps/core.xml": core})
    with OpenDocument(data, DOCX) as document:
        properties = OfficeObserver().observe(document).properties
    assert properties == {"author": "佐藤", "language": "ja-JP", "title": "報告書"}


@pytest.mark.parametrize(
    ("data", "signals"),
    [
        (docx(""), ("empty",)),
        (docx(paragraph("a")), ()),
        (xlsx("<sheetData/>"), ("empty",)),
        (xlsx(rows(["a"])), ()),
        (xlsx("<x/>", kinds=("chartsheet",)), ("chart",)),
        (pptx(""), ("empty",)),
        (pptx(shape(2, "a", frame(0, 0, 1, 1))), ()),
    ],
)
def test_signals_say_what_a_page_holds(data: bytes, signals: tuple[str, ...]) -> None:
    with OpenDocument(data, "x") as document:
        (page,) = OfficeObserver().observe(document).pages
    assert (page.number, page.text_layer, page.signals) == (1, TextLayer.PRESENT, signals)


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04", b"not a zip", archive({"a": "b"}), package("docx", "<other/>"), package("docx", "<w:broken")],
)
def test_what_is_no_office_document_is_a_typed_refusal(data: bytes) -> None:
    for look in (OfficeObserver().observe, lambda document: list(OfficeReader().read(document, [1]))):
        with OpenDocument(data, DOCX) as document, pytest.raises(SourceUnreadable):
            look(document)


def test_a_page_that_does_not_exist_fails_and_the_others_are_read() -> None:
    with OpenDocument(xlsx(rows(["a"])), XLSX) as document:
        pages = list(OfficeReader().read(document, [0, 1, 7]))
    assert [(page.number, page.status.value, page.text) for page in pages] == [
        (0, "failed", ""),
        (1, "completed", "a"),
        (7, "failed", ""),
    ]


def test_reading_twice_gives_the_same_output() -> None:
    data = xlsx(rows(["a", "b"]))

    def once() -> str:
        with OpenDocument(data, XLSX) as document:
            return repr(list(OfficeReader().read(document, [1])))

    assert once() == once()


def test_the_family_contributes_what_the_ports_ask_for() -> None:
    inventory = registry.build([("office", CONTRIBUTION)])
    assert inventory.failures == ()
    assert isinstance(inventory.observers[0], Observer)
    assert isinstance(inventory.readers[0], Reader)
    assert isinstance(inventory.chunkers[0], Chunker)
    reader = inventory.reader("office-extraction")
    assert reader is not None
    assert reader.descriptor.distribution == "indx-capability-office-extraction"
