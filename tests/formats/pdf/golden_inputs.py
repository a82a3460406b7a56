"""Writes the input of every golden case of this format. Run by hand after changing a case, then look at the diff:

    python -m formats.pdf.golden_inputs        (from the folder tests)

The inputs are committed, so the tests need neither this script nor fontTools, which draws the one embedded font: every
glyph of it is a square that fills most of its em, so that ink shows where each character stands.
"""

import io
from pathlib import Path

from formats.pdf.pdf_builder import HELVETICA, PdfBuilder, line, stream, utf16

CASES = Path(__file__).resolve().parent.parent.parent / "golden" / "pdf"


def square_font() -> bytes:
    """A TrueType font whose glyph 1 is a square from (80, -100) to (920, 740) in an em of 1,000 units."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((80, -100))
    for corner in ((80, 740), (920, 740), (920, -100)):
        pen.lineTo(corner)
    pen.closePath()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "square"])
    builder.setupCharacterMap({0x25A0: "square"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "square": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (1000, 0), "square": (1000, 80)})
    builder.setupHorizontalHeader(ascent=880, descent=-120)
    builder.setupOS2(sTypoAscender=880, sTypoDescender=-120)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular"})
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    out = io.BytesIO()
    builder.font.recalcTimestamp = False
    builder.font.save(out)
    return out.getvalue()


def embedded(builder: PdfBuilder, text: str, writing: str) -> tuple[bytes, dict[str, bytes]]:
    """The square font embedded, with codes for the characters of a text; returns the font and the codes."""
    characters = sorted(set(text))
    codes = {char: b"%04x" % number for number, char in enumerate(characters, 1)}
    entries = b" ".join(b"<%s> <%s>" % (code, char.encode("utf-16-be").hex().encode()) for char, code in codes.items())
    to_unicode = builder.add(
        stream(
            b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
            b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n%d beginbfchar %s endbfchar endcmap end end"
            % (len(codes), entries)
        )
    )
    glyphs = builder.add(stream(b"\x00\x00" + b"\x00\x01" * len(codes)))
    program = builder.add(stream(square_font()))
    font = builder.add(
        b"<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Squares /Encoding /Identity-%s /ToUnicode %s"
        b" /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Squares /DW 1000 /CIDToGIDMap %s"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /AAAAAA+Squares /Flags 4 /Ascent 880 /Descent -120"
        b" /CapHeight 740 /ItalicAngle 0 /StemV 80 /FontBBox [0 -120 1000 880] /FontFile2 %s >> >>] >>"
        % (writing.encode(), to_unicode, glyphs, program)
    )
    return font, codes


def native() -> bytes:
    """The Japanese font is embedded: where it is not, boxes depend a little on the fonts of the machine."""
    builder = PdfBuilder(catalog=b"/Lang (ja-JP)", info=b"/Title " + utf16("\ufeff四半期報告") + b" /Author (Finance)")
    heading, sentence = "四半期報告書", "　売上高は前年同期に比べて増加した。"
    font, codes = embedded(builder, heading + sentence, "H")
    fonts = {"F1": HELVETICA, "F2": font}

    def japanese(text: str, y: int, size: int) -> bytes:
        return b"BT /F2 %d Tf 72 %d Td <%s> Tj ET\n" % (size, y, b"".join(codes[char] for char in text))

    content = japanese(heading, 720, 18) + line("Quarterly report, second quarter", 72, 690, 14)
    content += japanese(sentence, 650, 11)
    content += (
        b"BT /F1 11 Tf 14 TL 72 620 Td (Net sales grew, and operating in-) Tj T* (come with them, by 12.5 %) Tj ET\n"
    )
    content += b"BT /F1 11 Tf 72 580 Td (Area in m) Tj /F1 7 Tf 4 Ts (2) Tj 0 Ts /F1 11 Tf ( of floor) Tj ET\n"
    builder.page(content, fonts=fonts)
    builder.page(b"", fonts=fonts)
    builder.page(b"q 300 0 0 300 150 250 cm /Im Do Q", fonts=fonts, xobjects={"Im": builder.add(_pixel())})
    return builder.build()


def crop_and_rotation() -> bytes:
    builder = PdfBuilder()
    for rotation in (0, 90, 180, 270):
        content = line("Turned by a quarter", 150, 600, 16) + line("second line", 150, 560)
        content += line("outside of the crop box", 20, 20)
        builder.page(content, extra=b"/CropBox [100 100 500 700] /Rotate %d /UserUnit 1.5" % rotation)
    return builder.build()


def vertical() -> bytes:
    builder = PdfBuilder()
    columns = ["縦書きの頁は右の列から", "始まり左へと進む。", "終", "最後の列"]
    font, codes = embedded(builder, "".join(columns), "V")
    content = b"".join(
        b"BT /F1 14 Tf %d 700 Td <%s> Tj ET\n" % (500 - 28 * number, b"".join(codes[char] for char in column))
        for number, column in enumerate(columns)
    )
    builder.page(content, fonts={"F1": font})
    return builder.build()


def two_columns() -> bytes:
    builder = PdfBuilder()
    content = line("A title over both columns", 180, 720, 16)
    for x, side in ((72, "left"), (330, "right")):
        content += b"".join(line(f"line {number} of the {side} column", x, 680 - 16 * number) for number in range(1, 6))
    builder.page(content)
    return builder.build()


def garbage_layer() -> bytes:
    builder = PdfBuilder()
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts ["
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 /Ascent 800 /Descent -200"
        b" /FontBBox [0 -200 1000 800] /ItalicAngle 0 /StemV 80 /CapHeight 700 >> >>] >>"
    )
    glyph_numbers = "".join(f"{ord(char) - 29:04x}" for char in "This text says nothing").encode()
    builder.page(b"BT /F1 12 Tf 72 700 Td <%s> Tj ET" % glyph_numbers, fonts={"F1": font})
    hidden = b"q 612 0 0 792 0 0 cm /Im Do Q BT 3 Tr /F1 12 Tf 72 700 Td (Tbe scanners guess) Tj ET"
    builder.page(hidden, xobjects={"Im": builder.add(_pixel())})
    return builder.build()


def form_xobject() -> bytes:
    builder = PdfBuilder()
    font = builder.add(HELVETICA)
    resources = b"/Resources << /Font << /F1 %s >> >>" % font
    inner = builder.add(
        stream(line("innermost", 10, 10), b"/Type /XObject /Subtype /Form /BBox [0 0 200 100] " + resources)
    )
    outer = builder.add(
        stream(
            line("in the form", 10, 150) + b"q 2 0 0 2 0 0 cm /In Do Q",
            b"/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /F1 %s >> /XObject << /In %s >> >>"
            % (font, inner),
        )
    )
    content = line("on the page", 72, 740) + b"q 1 0 0 1 100 400 cm /Fm Do Q q 0 1 -1 0 560 60 cm /Fm Do Q"
    builder.page(content, xobjects={"Fm": outer})
    return builder.build()


def _pixel() -> bytes:
    return stream(
        b"\x80", b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )


BUILDERS = (native, crop_and_rotation, vertical, two_columns, garbage_layer, form_xobject)

if __name__ == "__main__":
    for build in BUILDERS:
        case = CASES / build.__name__
        case.mkdir(parents=True, exist_ok=True)
        (case / "input.pdf").write_bytes(build())
