"""The text of a page is what a person would copy off it."""

import re

import pytest
from formats.pdf.pdf_builder import HELVETICA, PdfBuilder, ja_line, japanese, line, one_page, stream, utf16
from formats.pdf.pdf_reading import lines, read, run
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts.page import PageStatus
from indx_core.formats.pdf.clean import clean

JA = {"F1": japanese()}


def mapped_font(builder: PdfBuilder, mapping: str) -> bytes:
    """A font whose ToUnicode map is given as ``bfchar`` entries."""
    count = mapping.count("<") // 2
    to_unicode = builder.add(
        stream(
            b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n%d beginbfchar %s endbfchar endcmap end end"
            % (count, mapping.encode())
        )
    )
    return builder.add(
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode %s /DescendantFonts ["
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 /Ascent 800 /Descent -200"
        b" /FontBBox [0 -200 1000 800] /ItalicAngle 0 /StemV 80 /CapHeight 700 >> >>] >>" % to_unicode
    )


def mapped(mapping: str, content: bytes) -> str:
    builder = PdfBuilder()
    builder.page(content, fonts={"F1": mapped_font(builder, mapping)})
    return read(builder.build()).text


def test_lines_are_joined_by_line_feeds_and_each_span_is_its_line_exactly():
    output = read(one_page(line("First line", 72, 700) + line("Second line", 72, 680)))
    assert output.text == "First line\nSecond line"
    assert [text for text, _ in lines(output)] == ["First line", "Second line"]


def test_a_hyphen_at_a_line_end_stays_as_printed_and_ends_its_line():
    """PDFium runs hyphenated lines together, with a noncharacter in the place of the hyphen."""
    content = b"BT /F1 12 Tf 14 TL 72 700 Td (an exam-) Tj T* (ple of it) Tj T* (1990-) Tj T* (2000) Tj ET"
    output = read(one_page(content))
    assert output.text == "an exam-\nple of it\n1990-\n2000"
    assert output.lines[1].box is not None
    assert output.lines[1].box.x0 == pytest.approx(72 / 612, abs=0.001)


@pytest.mark.parametrize("offset", [(0.3, 0.0), (0.0, 0.3), (1.0, -1.0)])
def test_text_printed_twice_for_weight_or_shadow_is_read_once(offset: tuple[float, float]):
    x, y = offset
    assert read(one_page(line("Bold title", 72, 700) + line("Bold title", 72 + x, 700 + y))).text == "Bold title"


@pytest.mark.parametrize(
    ("mapping", "codes", "expected"),
    [
        ("<0001> <FB01> <0002> <006E>", "00010002", "fin"),
        ("<0001> <00660066006C> <0002> <0065>", "00010002", "ffle"),
        ("<0001> <D842DFB7> <0002> <91CE>", "000100020001", "𠮷野𠮷"),
        ("<0001> <D842> <0002> <91CE>", "0001" + "0002" * 9, "\ufffd" + "野" * 9),
        ("<0001> <0061> <0002> <000A> <0003> <0062>", "0001000200030003000300030003", "a\ufffdbbbbb"),
        ("<0001> <0061> <0002> <00AD> <0003> <0062>", "000100020003", "a-b"),
    ],
    ids=[
        "ligature",
        "several characters a glyph",
        "beyond the BMP",
        "half a surrogate pair",
        "a line feed",
        "soft hyphen",
    ],
)
def test_glyphs_read_as_their_unicode_and_never_as_control_characters(mapping: str, codes: str, expected: str):
    assert mapped(mapping, b"BT /F1 12 Tf 72 700 Td <%s> Tj ET" % codes.encode()) == expected


def test_characters_beyond_the_bmp_do_not_shift_the_boxes_of_later_lines():
    """PDFium counts UTF-16 units, Python counts characters."""
    builder = PdfBuilder()
    content = b"BT /F1 12 Tf 20 TL 72 700 Td <0001000100010001> Tj T* <0002000200020002> Tj ET"
    builder.page(content, fonts={"F1": mapped_font(builder, "<0001> <D842DFB7> <0002> <91CE>")})
    (first, above), (second, below) = lines(read(builder.build()))
    assert (first, second) == ("𠮷𠮷𠮷𠮷", "野野野野")
    assert above is not None
    assert below is not None
    assert (below.x0, below.x1) == (above.x0, above.x1)
    assert below.y0 - above.y0 == pytest.approx(20 / 792, abs=1e-4)


def test_characters_that_pdfium_keeps_out_of_the_text_do_not_shift_boxes():
    """Code 3 without a mapping is in PDFium's character list and not in its text."""
    builder = PdfBuilder()
    mapping = "<0061> <0061>"
    content = b"BT /F1 12 Tf 20 TL 72 700 Td <00030003006100610061006100610061> Tj T* <0061006100610061> Tj ET"
    builder.page(content, fonts={"F1": mapped_font(builder, mapping)})
    output = lines(read(builder.build()))
    assert [text for text, _ in output] == ["aaaaaa", "aaaa"]
    boxes = [box for _, box in output if box is not None]
    assert boxes[0].x0 == pytest.approx((72 + 2 * 7.2) / 612, abs=1e-3)
    assert boxes[1].x0 == pytest.approx(72 / 612, abs=1e-3)


def test_letter_spaced_japanese_gets_no_invented_spaces_and_keeps_real_gaps():
    content = b"BT /F1 12 Tf 7 Tc 72 700 Td %s Tj ET" % utf16("目次")
    content += b"BT /F1 12 Tf 0 Tc 72 650 Td [%s -3000 %s] TJ ET" % (utf16("品番"), utf16("名称"))
    assert read(one_page(content, fonts=JA)).text == "目次\n品番 名称"


def test_japanese_and_latin_in_one_line_are_joined_as_set():
    content = b"BT /F2 12 Tf 72 700 Td %s Tj /F1 12 Tf (2026) Tj /F2 12 Tf %s Tj ET" % (utf16("令和"), utf16("年度"))
    assert read(one_page(content, fonts={"F1": HELVETICA, "F2": japanese()})).text == "令和2026年度"


def test_single_characters_in_a_font_that_no_machine_has_are_still_text():
    """PDFium drops a text object without ink, and a font that is neither embedded nor installed has none."""
    content = b"".join(ja_line(char, 72 + 12 * index, 700) for index, char in enumerate("一字ずつ置いた行"))
    result = run(one_page(content, fonts=JA))
    assert result.outputs[0].text == "一字ずつ置いた行"
    assert result.observed.pages[0].text_layer == "present"


def test_a_superscript_stays_on_its_line():
    content = b"BT /F1 12 Tf 72 700 Td (E = mc) Tj /F1 7 Tf 5 Ts (2) Tj 0 Ts /F1 12 Tf ( holds) Tj ET"
    assert read(one_page(content)).text == "E = mc2 holds"


def test_the_ideographic_space_that_opens_a_japanese_paragraph_is_kept():
    output = read(one_page(ja_line("　気候は温暖である。", 72, 700), fonts=JA))
    assert output.text == "　気候は温暖である。"


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", None), (b"0 0 9 9 re f", "the page has no text layer")],
)
def test_a_blank_page_completes_as_empty_and_a_drawn_one_without_text_fails(content: bytes, reason: str | None):
    output = read(one_page(content))
    assert (output.text, output.reason) == ("", reason)
    assert output.status is (PageStatus.FAILED if reason else PageStatus.COMPLETED)


def test_reading_after_observing_and_reading_alone_give_the_same():
    """A plan's replay has no observation to lean on."""
    data = one_page(line("One", 72, 700) + line("two", 200, 700) + b"BT /F1 9 Tf 0 1 -1 0 300 300 Tm (up) Tj ET")
    assert read(data) == run(data).outputs[0]


def test_a_page_is_parsed_once_for_observer_and_reader(monkeypatch: pytest.MonkeyPatch):
    """Loading a page parses its content, which is most of the cost of reading it."""
    from indx_core.kit.pdfium.opening import PdfFile

    loaded: list[int] = []
    page = PdfFile.page
    monkeypatch.setattr(PdfFile, "page", lambda self, number: (loaded.append(number), page(self, number))[1])
    builder = PdfBuilder()
    for number in range(3):
        builder.page(line(f"Page {number}", 72, 700))
    run(builder.build())
    assert loaded == [1, 2, 3]


@settings(max_examples=200)
@given(st.text())
def test_a_cleaned_line_holds_nothing_a_reader_must_not_see(text: str):
    cleaned = clean(text.replace("\r", "").replace("\n", ""))
    assert not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\xad]", cleaned)
    cleaned.encode()
