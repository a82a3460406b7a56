"""Parsing without entities, and names without dialects."""

import io

import pytest

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.names import short
from indx_core.kit.ooxml.xml import parse, shorten, stream

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<lolz>&b;</lolz>"
)
EXTERNAL = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>'


@pytest.mark.parametrize("text", [BOMB, EXTERNAL, "<!DOCTYPE r><r/>", "<!-- c --><!DOCTYPE r [ ]><r/>"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_in_any_encoding(text: str, encoding: str) -> None:
    """Looking for the bytes ``<!DOCTYPE`` would miss UTF-16; the prolog is parsed instead."""
    data = text.replace('<?xml version="1.0"?>', "").encode(encoding)
    for read in (parse, lambda part, name: list(stream(io.BytesIO(part), name))):
        with pytest.raises(SourceUnreadable, match="document type") as refused:
            read(data, "word/document.xml")
        assert not isinstance(refused.value, PartDamaged)


def test_the_words_of_a_declaration_are_harmless_in_text() -> None:
    assert parse(b"<r>&lt;!DOCTYPE html&gt;</r>", "p").text == "<!DOCTYPE html>"


@pytest.mark.parametrize("data", [b"", b"   ", b"<a><b></a>", b"<a>&undefined;</a>", b"<a>\x00</a>", b"no xml"])
def test_xml_that_is_not_well_formed_is_a_damaged_part(data: bytes) -> None:
    with pytest.raises(PartDamaged, match=r"word/x\.xml"):
        parse(data, "word/x.xml")


def test_a_stream_gives_what_stands_before_the_damage() -> None:
    seen = []

    def take_all() -> None:
        for event, element in stream(io.BytesIO(b"<a><b/><b/><c></a>"), "p"):
            if event == "end":
                seen.append(element.tag)

    with pytest.raises(PartDamaged):
        take_all()
    assert seen == ["b", "b"]


def test_strict_and_transitional_names_are_the_same() -> None:
    """ISO/IEC 29500 strict renames every namespace; a strict file read as blank is the usual bug."""
    strict = b'<d xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><p/></d>'
    usual = b'<d xmlns="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><p/></d>'
    assert [e.tag for e in parse(strict, "p").iter()] == [e.tag for e in parse(usual, "p").iter()] == ["w:d", "w:p"]


def test_names_of_unknown_namespaces_stay_long() -> None:
    assert short("{urn:x}y") == "{urn:x}y"
    assert short("plain") == "plain"


def test_attributes_get_short_names_too() -> None:
    root = parse(b'<s xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships" r:id="rId1" name="n"/>', "p")
    assert root.attrib == {"r:id": "rId1", "name": "n"}
    shorten(root)
    assert root.attrib == {"r:id": "rId1", "name": "n"}
