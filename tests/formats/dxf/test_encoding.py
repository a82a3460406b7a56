"""Code pages: what the drawing declares, what its bytes are, and the one ASCII form that the parser sees."""

import re

import pytest

from indx_core.formats.dxf.encoding import ascii_form
from indx_core.formats.dxf.loading import is_drawing

TEXT = "熱交換器の材質表"


def drawing(version: str | None, page: str | None) -> bytes:
    header = f"9\n$ACADVER\n1\n{version}\n" if version else ""
    header += f"9\n$DWGCODEPAGE\n3\n{page}\n" if page else ""
    return f"0\nSECTION\n2\nHEADER\n{header}0\nENDSEC\n".encode()


def shown(data: bytes) -> tuple[str, list[str]]:
    """The last line as the parser decodes it, and the codes of what was found."""
    findings: list[tuple[str, str]] = []
    line = ascii_form(data, findings).decode("ascii").split("\n")[-1]
    text = re.sub(r"\\U\+(....)", lambda unit: chr(int(unit.group(1), 16)), line)
    return text, [code for code, _ in findings]


@pytest.mark.parametrize(
    ("version", "page", "encoding", "codes"),
    [
        ("AC1009", "ANSI_932", "cp932", []),
        ("AC1015", "dos932", "cp932", []),
        ("AC1009", None, "cp932", []),
        (None, None, "cp932", []),
        ("AC1009", "ANSI_1252", "cp932", ["code_page_wrong"]),
        ("AC1009", "ANSI_932", "euc_jp", ["code_page_wrong"]),
        ("AC1009", "ANSI_932", "utf-8", ["code_page_wrong"]),
        ("AC1032", "ANSI_932", "utf-8", []),
        ("AC1021", None, "cp932", ["code_page_wrong"]),
    ],
)
def test_japanese_text_is_decoded_whatever_is_declared(version, page, encoding, codes) -> None:
    text, found = shown(drawing(version, page) + TEXT.encode(encoding))
    assert (text, found) == (TEXT, codes)


@pytest.mark.parametrize(
    ("page", "encoding", "text"), [("ANSI_1252", "cp1252", "éü"), ("ANSI_1251", "cp1251", "Чертёж")]
)
def test_other_code_pages_are_believed(page: str, encoding: str, text: str) -> None:
    assert shown(drawing("AC1015", page) + text.encode(encoding)) == (text, [])


def test_the_backslash_inside_a_shift_jis_character_is_no_formatting_code() -> None:
    """The second byte of ソ, 能 and 表 is a backslash; read as Western text, ``\\P`` and its like appear from nowhere."""
    assert shown(drawing("AC1009", "ANSI_932") + "ソP能表".encode("cp932")) == ("ソP能表", [])


def test_a_character_beyond_the_basic_plane_becomes_a_pair() -> None:
    assert ascii_form(drawing("AC1032", None) + "𠮷".encode(), []).endswith(b"\\U+D842\\U+DFB7")


def test_bytes_that_are_no_text_of_the_code_page_are_reported() -> None:
    findings: list[tuple[str, str]] = []
    ascii_form(drawing("AC1032", None) + b"a\xff\xfeb", findings)
    assert [code for code, _ in findings] == ["undecodable_text"]


@pytest.mark.parametrize(
    "data",
    [
        b"0\nSECTION\n2\nHEADER\n",
        b"  0\r\nSECTION\r\n  2\r\nENTITIES\r\n",
        b"999\ncomment\n999\nmore\n0\nSECTION\n",
        b"\xef\xbb\xbf  0\nSECTION\n",
        b"AutoCAD Binary DXF\r\n\x1a\x00rest",
        b"\n\n0\nSECTION\n",
    ],
)
def test_a_drawing_is_recognised_by_its_first_section(data: bytes) -> None:
    assert is_drawing(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"0\n",
        b"0\n1\n2\n3\n",
        b"0,SECTION\n",
        b"SECTION\n0\n",
        b"AC1032\x00\x00",
        b"AutoCAD Binary",
        b"999\n" * 500,
        b"10\n0\nSECTION\n",
    ],
)
def test_numbers_text_and_dwg_are_not_taken_for_drawings(data: bytes) -> None:
    assert not is_drawing(data)
