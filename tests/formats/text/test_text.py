"""Text, CSV and TSV: encodings in the order named, pages at form feeds, honest refusals, bounded grids."""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from indx_core.contracts.errors import SettingsInvalid, SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import PageOutput
from indx_core.formats.text import grid as grid_module
from indx_core.formats.text.observer import TextObserver
from indx_core.formats.text.reader import TextReader
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_observer, check_reader

JAPANESE = "気象庁の観測値、東京都"


def _document(data: bytes, media_type: str = "text/plain") -> Callable[[], OpenDocument]:
    return lambda: OpenDocument(data, media_type)


def _read(data: bytes, media_type: str = "text/plain") -> list[PageOutput]:
    document = OpenDocument(data, media_type)
    numbers = [page.number for page in TextObserver().observe(document).pages]
    return list(TextReader().read(document, numbers))


def _text(data: bytes) -> str:
    (page,) = _read(data)
    return page.text


@pytest.mark.parametrize(
    ("data", "media_type", "pages"),
    [
        (b"one\ftwo\nlines", "text/plain", 2),
        ("絵文字 😀 e\u0301 ｱｲｳ".encode(), "text/plain", 1),
        (b"", "text/plain", 1),
        (b"a,b\n1,2\n", "text/csv", 1),
        (b"a\tb\n\n1\t2\n", "text/tab-separated-values", 1),
    ],
)
def test_the_text_family_conforms(data: bytes, media_type: str, pages: int) -> None:
    check_observer(TextObserver(), _document(data, media_type), pages, unreadable=_document(b"\xff\xfe", media_type))
    check_reader(TextReader(), _document(data, media_type), list(range(1, pages + 1)))


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("one", ["one"]),
        ("one\ftwo", ["one", "two"]),
        ("one\f\fthree", ["one", "", "three"]),
        ("one\f", ["one", ""]),
        ("", [""]),
    ],
)
def test_a_form_feed_separates_pages_and_no_page_is_dropped(text: str, pages: list[str]) -> None:
    assert [page.text for page in _read(text.encode())] == pages


def test_a_form_feed_in_a_delimited_file_is_a_character() -> None:
    (page,) = _read(b"a,b\x0cc", "text/csv")
    assert page.text == "a,b\x0cc"


def test_a_blank_page_is_readable_and_says_that_it_is_empty() -> None:
    """Its layer is present: no other rung could read more of it."""
    observed = TextObserver().observe(OpenDocument(b"one\f \n\f", "text/plain"))
    assert [page.signals for page in observed.pages] == [(), ("empty",), ("empty",)]
    assert {page.text_layer for page in observed.pages} == {TextLayer.PRESENT}


def test_a_file_of_nothing_but_form_feeds_is_refused_before_it_is_a_million_pages() -> None:
    with pytest.raises(SourceUnreadable, match="more than 100000 pages"):
        _read(b"\f" * 100_000)


@pytest.mark.parametrize("data", [b"one\r\ntwo\r\n", b"one\rtwo\r", b"one\ntwo\n"])
def test_line_ends_of_every_system_are_one(data: bytes) -> None:
    assert _text(data) == "one\ntwo\n"


def test_lines_are_those_that_are_not_blank_and_their_spans_index_the_text() -> None:
    (page,) = _read("  one\n\n \t\n二行目".encode())
    assert [page.text[line.start : line.end] for line in page.lines] == ["  one", "二行目"]


@pytest.mark.parametrize(
    ("encodings", "data"),
    [
        (None, JAPANESE.encode()),
        (None, codecs.BOM_UTF8 + JAPANESE.encode()),
        ("utf-8", codecs.BOM_UTF8 + JAPANESE.encode()),
        ("utf-8-sig,cp932", JAPANESE.encode("cp932")),
        ("utf-8-sig,cp932", JAPANESE.encode()),
        ("utf-8-sig, euc_jp", JAPANESE.encode("euc-jp")),
        ("iso2022_jp,utf-8-sig", JAPANESE.encode("iso-2022-jp")),
        ("utf-8-sig,utf-16", JAPANESE.encode("utf-16")),
        ("utf-8-sig,utf-16", codecs.BOM_UTF16_BE + JAPANESE.encode("utf-16-be")),
        ("utf-16-le", JAPANESE.encode("utf-16-le")),
        ("utf-16-le", codecs.BOM_UTF16_LE + JAPANESE.encode("utf-16-le")),
        ("utf-8-sig,utf-32", JAPANESE.encode("utf-32")),
        ("utf-16,utf-32", JAPANESE.encode("utf-32-le").join([codecs.BOM_UTF32_LE, b""])),
    ],
)
def test_the_first_encoding_that_decodes_wins(
    monkeypatch: pytest.MonkeyPatch, encodings: str | None, data: bytes
) -> None:
    if encodings:
        monkeypatch.setenv("INDX_TEXT_ENCODING", encodings)
    assert _text(data) == JAPANESE


def test_a_byte_order_mark_decides_among_the_encodings_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """cp932 decodes the mark of UTF-8 as half-width kana, and much of UTF-16 as noise: the mark is unambiguous."""
    monkeypatch.setenv("INDX_TEXT_ENCODING", "cp932,utf-16,utf-8-sig")
    assert _text(JAPANESE.encode("utf-16")) == JAPANESE
    assert _text(codecs.BOM_UTF8 + JAPANESE.encode()) == JAPANESE
    assert _text(JAPANESE.encode("cp932")) == JAPANESE


def test_utf_16_without_a_mark_needs_its_byte_order_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly any even number of bytes decodes as UTF-16: this cp932 text would turn into Chinese."""
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-16,cp932")
    assert _text(JAPANESE.encode("cp932") + b" ") == JAPANESE + " "


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (JAPANESE.encode("cp932"), "does not decode as utf-8-sig"),
        (JAPANESE.encode("utf-16"), "byte-order mark says utf-16: add it to INDX_TEXT_ENCODING"),
        (JAPANESE.encode("utf-32"), "says utf-32"),
        (b"\xed\xa0\x80", "does not decode"),
        (b"a,b\x00,c", "NUL"),
        (b"\x01\x02\x03\x04 noise", "control characters"),
    ],
)
def test_what_is_not_text_in_an_encoding_named_is_refused_and_not_mangled(data: bytes, says: str) -> None:
    with pytest.raises(SourceUnreadable, match=says):
        _read(data)


def test_text_that_no_output_could_hold_does_not_decode(monkeypatch: pytest.MonkeyPatch) -> None:
    """UTF-7 can spell half of a surrogate pair, which neither JSON nor Parquet can."""
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-7")
    with pytest.raises(SourceUnreadable, match="does not decode as utf-7"):
        _read(b"a+2AA-b")


def test_binary_bytes_are_refused_even_where_an_encoding_decodes_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-8-sig,latin-1")
    with pytest.raises(SourceUnreadable):
        _read(bytes(range(1, 256)) * 4)
    assert _text("Größe".encode("latin-1")) == "Größe"


def test_a_terminal_log_with_colours_and_dos_end_of_file_is_text() -> None:
    log = "\x1b[31merror\x1b[0m\n" * 20 + "\x07\x1a"
    assert _text(log.encode()) == log


@pytest.mark.parametrize("encodings", ["klingon", "utf-8-sig,klingon", "base64", "rot13"])
def test_an_encoding_python_does_not_know_names_the_variable_and_not_the_source(
    monkeypatch: pytest.MonkeyPatch, encodings: str
) -> None:
    monkeypatch.setenv("INDX_TEXT_ENCODING", encodings)
    with pytest.raises(SettingsInvalid, match="INDX_TEXT_ENCODING"):
        _read(b"")


def test_an_encoding_that_was_not_the_first_choice_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-8-sig,cp932")
    (finding,) = TextObserver().observe(OpenDocument(JAPANESE.encode("cp932"), "text/plain")).findings
    assert finding.code == "text_encoding"
    assert "cp932" in finding.message
    assert TextObserver().observe(OpenDocument(JAPANESE.encode(), "text/plain")).findings == ()


def test_text_is_decoded_once_per_document(monkeypatch: pytest.MonkeyPatch) -> None:
    document = OpenDocument(b"one", "text/plain")
    TextObserver().observe(document)
    monkeypatch.setenv("INDX_TEXT_ENCODING", "klingon")
    (page,) = TextReader().read(document, [1])
    assert page.text == "one"


@pytest.mark.parametrize(
    ("data", "media_type", "size", "cells"),
    [
        (b'a,b\n1,"x,y"\n', "text/csv", (2, 2), ["a", "b", "1", "x,y"]),
        (b'a,"two\r\nlines"\n', "text/csv", (1, 2), ["a", "two\nlines"]),
        (b"a\n\n1,2,3\n", "text/csv", (3, 3), ["a", "1", "2", "3"]),
        (b"a;b\n", "text/csv", (1, 1), ["a;b"]),
        ("a\u2028b,c\n".encode(), "text/csv", (1, 2), ["a\u2028b", "c"]),
        (b'"a\tb\n1\t\n', "text/tab-separated-values", (2, 2), ['"a', "b", "1"]),
    ],
)
def test_the_grid_of_a_delimited_file_follows_its_media_type(
    data: bytes, media_type: str, size: tuple[int, int], cells: list[str]
) -> None:
    (page,) = _read(data, media_type)
    (table,) = page.tables
    assert (table.rows, table.columns) == size
    assert [cell.text for cell in table.cells] == cells


def test_plain_text_and_empty_files_have_no_grid() -> None:
    assert _read(b"a,b")[0].tables == ()
    assert _read(b"\n\n", "text/csv")[0].tables == ()


def test_a_grid_beyond_the_bound_is_left_out_and_says_so_and_the_text_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid_module, "MAX_CELLS", 3)
    (page,) = _read(b"a,b\nc,d\n", "text/csv")
    assert page.tables == ()
    assert [code for code, _ in page.findings] == ["table_too_large"]
    assert page.text == "a,b\nc,d\n"


@pytest.mark.parametrize("data", [b"x" * 2_000_000, b'"' + b"x" * 2_000_000, b" " * 2_000_000])
def test_one_very_long_cell_costs_the_grid_alone(data: bytes) -> None:
    (page,) = _read(data, "text/csv")
    assert len(page.text) == len(data)
    assert [code for code, _ in page.findings] == ["table_malformed"]


@pytest.mark.corpus
def test_every_text_of_the_corpus_is_read_or_refused_in_a_typed_way(shared_corpus: Path) -> None:
    types = {".csv": "text/csv", ".tsv": "text/tab-separated-values"}
    files = [file for folder in ("text", "hostile/text") for file in sorted((shared_corpus / folder).iterdir())]
    assert files
    read = 0
    for file in files:
        try:
            read += bool(_read(file.read_bytes(), types.get(file.suffix, "text/plain")))
        except SourceUnreadable:
            continue
    assert read >= len(files) // 3


@pytest.mark.corpus
@pytest.mark.parametrize("codec", ["SHIFT_JIS", "CP932", "EUC-JP"])
def test_japanese_files_of_the_corpus_decode_when_their_encoding_is_named(
    shared_corpus: Path, monkeypatch: pytest.MonkeyPatch, codec: str
) -> None:
    monkeypatch.setenv("INDX_TEXT_ENCODING", f"utf-8-sig,{codec}")
    files = sorted((shared_corpus / "text").glob(f"chardet__{codec}__*"))
    assert files
    for file in files:
        assert any("\u3041" <= character <= "\u30ff" for page in _read(file.read_bytes()) for character in page.text)
