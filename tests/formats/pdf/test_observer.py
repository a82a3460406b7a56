"""What the PDF observer says of documents and pages, without rendering."""

import pytest
from formats.pdf.pdf_builder import PdfBuilder, filled_form, japanese, line, one_page, pixel_image, stream, utf16
from formats.pdf.pdf_reading import run

from indx_core.contracts.observation import TextLayer
from indx_core.formats.pdf.observer import MEDIA_TYPE, PdfObserver
from indx_core.kit.render.page import page_image
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument

PAGE_IMAGE = b"q 612 0 0 792 0 0 cm /Im Do Q\n"
MASK = b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
GLYPH_NUMBERS = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts ["
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 600"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>"
    b" /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 /Ascent 800 /Descent -200"
    b" /FontBBox [0 -200 1000 800] /ItalicAngle 0 /StemV 80 /CapHeight 700 >> >>] >>"
)
"""A subset font without a map to Unicode: what stands in the content are glyph numbers."""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%PDF-1.7\n...", MEDIA_TYPE),
        (b"\xef\xbb\xbf\r\n" + b" " * 900 + b"%PDF-1.4", MEDIA_TYPE),
        (b" " * 1100 + b"%PDF-1.4", None),
        (b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n1 0 obj", MEDIA_TYPE),
        (b"extension,first bytes\npdf,%PDF-1.7\n", None),
        (b"PK\x03\x04", None),
        (b"", None),
    ],
)
def test_a_pdf_is_known_by_its_header_within_the_first_1024_bytes(data: bytes, expected: str | None):
    assert PdfObserver().sniff(data) == expected


@pytest.mark.parametrize(
    ("content", "layer", "signals"),
    [
        (line("Words", 72, 700), TextLayer.PRESENT, ("font",)),
        (PAGE_IMAGE + line("Caption", 72, 700), TextLayer.PRESENT, ("font", "image")),
        (PAGE_IMAGE, TextLayer.ABSENT, ("image",)),
        (b"10 10 200 200 re f", TextLayer.ABSENT, ("path",)),
        (b"", TextLayer.PRESENT, ("empty",)),
        (line("   ", 72, 700), TextLayer.PRESENT, ("empty", "font")),
    ],
    ids=["text", "text and image", "scan", "drawing", "blank", "only spaces"],
)
def test_each_page_states_its_text_layer_and_signals(content: bytes, layer: TextLayer, signals: tuple[str, ...]):
    """A blank page counts as readable: it completes as an empty text and never goes to recognition."""
    page = run(one_page(content, xobjects={"Im": pixel_image()})).observed.pages[0]
    assert (page.text_layer, page.signals) == (layer, signals)


def test_an_image_inside_a_form_xobject_is_seen_with_its_place():
    form = b"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [612 0 0 396 0 0] /Resources << /XObject << /Im %s >> >>"
    builder = PdfBuilder()
    image = builder.add(pixel_image())
    body = b"1 0 0 1 0 0 cm /Im Do"
    builder.page(
        b"/Fm Do", xobjects={"Fm": (form % image) + b" /Length %d >>\nstream\n%s\nendstream" % (len(body), body)}
    )
    page = run(builder.build()).observed.pages[0]
    assert page.signals == ("image",)
    assert page.measures["image_share"] == pytest.approx(0.5, abs=0.01)


def test_a_form_xobject_that_contains_itself_does_not_loop():
    builder = PdfBuilder()
    own_number = len(builder.objects) + 1
    builder.add(
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /Fm %d 0 R >> >> /Length 6 >>\n"
        b"stream\n/Fm Do\nendstream" % own_number
    )
    builder.page(b"/Fm Do", xobjects={"Fm": b"%d 0 R" % own_number})
    assert len(run(builder.build()).observed.pages) == 1


def test_glyph_numbers_shown_as_characters_are_a_garbage_layer():
    page = run(one_page(b"BT /F1 12 Tf 72 700 Td <0037004B004C00560003004C0056> Tj ET", fonts={"F1": GLYPH_NUMBERS}))
    observed = page.observed.pages[0]
    assert observed.text_layer is TextLayer.UNTRUSTED
    assert "garbage_text" in observed.signals
    assert observed.measures["unmapped_share"] > 0.5
    assert page.outputs[0].status == "failed"
    assert "garbage" in (page.outputs[0].reason or "")


def test_codes_without_a_map_that_read_as_text_are_believed():
    """Bitmap fonts of old TeX name their glyphs as they like; the codes are ASCII all the same."""
    codes = "".join(f"{ord(char):04x}" for char in "the quick brown fox").encode()
    page = run(one_page(b"BT /F1 12 Tf 72 700 Td <%s> Tj ET" % codes, fonts={"F1": GLYPH_NUMBERS})).observed.pages[0]
    assert page.text_layer is TextLayer.PRESENT
    assert page.measures["unmapped_share"] > 0.5


@pytest.mark.parametrize(("share", "layer"), [("0.5", TextLayer.PRESENT), ("0.2", TextLayer.UNTRUSTED)])
def test_the_share_that_makes_a_layer_garbage_is_a_setting(share: str, layer: TextLayer):
    to_unicode = japanese()
    content = b"BT /F1 12 Tf 72 700 Td %s Tj ET" % utf16("\ue000\ue001\ue002東京の本社と支社")
    with overriding({"INDX_PDF_GARBAGE_SHARE": share}):
        page = run(one_page(content, fonts={"F1": to_unicode})).observed.pages[0]
    assert page.text_layer is layer
    assert page.measures["private_use_share"] == pytest.approx(0.2727, abs=0.001)


@pytest.mark.parametrize(("trust", "layer"), [("false", TextLayer.UNTRUSTED), ("true", TextLayer.PRESENT)])
def test_invisible_text_over_a_page_image_is_believed_only_where_the_setting_says_so(trust: str, layer: TextLayer):
    """A scanner's hidden recognition was accepted as text by other tools, "Tbe" for "The"."""
    hidden = PAGE_IMAGE + b"BT 3 Tr /F1 12 Tf 72 700 Td (Tbe hidden layer) Tj ET"
    with overriding({"INDX_PDF_TRUST_INVISIBLE_TEXT": trust}):
        page = run(one_page(hidden, xobjects={"Im": pixel_image()})).observed.pages[0]
    assert "invisible_text" in page.signals
    assert page.text_layer is layer


def test_invisible_text_beside_a_small_image_is_no_scan():
    content = b"q 50 0 0 50 0 0 cm /Im Do Q BT 3 Tr /F1 12 Tf 72 700 Td (Hidden) Tj ET"
    page = run(one_page(content, xobjects={"Im": pixel_image()})).observed.pages[0]
    assert page.text_layer is TextLayer.PRESENT


@pytest.mark.parametrize(
    ("content", "layer"),
    [
        (line("EX-0042", 500, 20), TextLayer.UNTRUSTED),
        (line("Page 1 of 12", 72, 770), TextLayer.UNTRUSTED),
        (line("EX-0042", 500, 20) + line("Agenda", 250, 400), TextLayer.PRESENT),
        (line("A footer of more than forty characters, which says something", 72, 20), TextLayer.PRESENT),
    ],
    ids=["a Bates number", "a page number", "a slide's title too", "a footer that is a sentence"],
)
def test_a_few_characters_in_the_margin_of_a_page_image_are_a_stamp_on_a_scan(content: bytes, layer: TextLayer):
    """Believed, a stamped scan would be a page that was read and says "EX-0042"."""
    page = run(one_page(PAGE_IMAGE + content, xobjects={"Im": pixel_image()})).observed.pages[0]
    assert page.text_layer is layer
    assert ("stamp" in page.signals) is (layer is TextLayer.UNTRUSTED)


def test_a_stamp_beside_a_small_image_is_the_pages_text():
    content = b"q 50 0 0 50 0 0 cm /Im Do Q\n" + line("EX-0042", 500, 20)
    assert run(one_page(content, xobjects={"Im": pixel_image()})).observed.pages[0].text_layer is TextLayer.PRESENT


COVERED = line("Painted over by the scan", 72, 400) + b"\n" + PAGE_IMAGE


def test_text_under_a_page_image_is_as_invisible_as_text_in_no_ink():
    page = run(one_page(COVERED, xobjects={"Im": pixel_image()})).observed.pages[0]
    assert page.text_layer is TextLayer.UNTRUSTED
    assert page.measures["invisible_share"] == 1.0
    with overriding({"INDX_PDF_TRUST_INVISIBLE_TEXT": "true"}):
        assert run(one_page(COVERED, xobjects={"Im": pixel_image()})).observed.pages[0].text_layer is TextLayer.PRESENT


def test_text_under_a_watermark_is_seen_and_believed():
    """An image with a mask that lets the page through covers nothing, however wide it is."""
    builder = PdfBuilder()
    mask = builder.add(stream(b"\x20", MASK))
    watermark = pixel_image().replace(b"/Subtype /Image", b"/Subtype /Image /SMask %s" % mask)
    builder.page(COVERED, xobjects={"Im": watermark})
    page = run(builder.build()).observed.pages[0]
    assert (page.text_layer, page.signals) == (TextLayer.PRESENT, ("font", "image"))


@pytest.mark.parametrize(
    ("subtype", "layer"),
    [(b"FreeText", TextLayer.ABSENT), (b"Widget", TextLayer.PRESENT)],
    ids=["free text", "a field"],
)
def test_a_page_of_free_text_alone_is_not_blank(subtype: bytes, layer: TextLayer):
    """Viewers draw it without an appearance; an empty field shows nothing."""
    builder = PdfBuilder()
    note = builder.add(
        b"<< /Type /Annot /Subtype /%s /Rect [100 500 250 520] /F 4 /Contents (Remark) /DA (/Helv 12 Tf) >>" % subtype
    )
    builder.page(b"", extra=b"/Annots [%s]" % note)
    assert run(builder.build()).observed.pages[0].text_layer is layer


def test_a_page_that_cannot_be_loaded_is_observed_with_a_finding_and_read_as_failed():
    """A lost page must not take the others with it, nor vanish."""
    builder = PdfBuilder()
    builder.page(line("First", 72, 700))
    builder.page_numbers.append(99)  # the page tree counts a page that the file does not hold
    builder.page(line("Third", 72, 700))
    result = run(builder.build())
    assert [page.number for page in result.observed.pages] == [1, 2, 3]
    assert [(finding.code, finding.page) for finding in result.observed.findings] == [("page_unreadable", 2)]
    assert [output.status.value for output in result.outputs] == ["completed", "failed", "completed"]
    assert [output.text for output in result.outputs] == ["First", "", "Third"]
    assert 2 not in result.chunks


def test_a_page_out_of_range_is_read_as_failed():
    from indx_core.formats.pdf.reader import NativeExtraction

    with OpenDocument(one_page(line("Only", 72, 700)), MEDIA_TYPE) as document:
        outputs = list(NativeExtraction().read(document, [1, 2, 0]))
    assert [output.status.value for output in outputs] == ["completed", "failed", "failed"]


def test_a_file_that_pdfium_refuses_is_read_from_a_rewrite_with_a_finding():
    builder = PdfBuilder(info=b"/Title (Kept)")
    builder.page(line("Second chance", 72, 700))
    result = run(builder.build().replace(b"%PDF-1.7", b"%!junk!!"))
    assert result.outputs[0].text == "Second chance"
    assert [finding.code for finding in result.observed.findings] == ["pdf_rewritten"]
    assert result.observed.properties["title"] == "Kept"


def test_a_page_of_a_rewritten_file_that_cannot_be_read_still_becomes_an_image():
    result = run(one_page(b"10 10 200 200 re f").replace(b"%PDF-1.7", b"%!junk!!"))
    assert result.chunks[1][0].image is not None


def test_declared_language_title_and_author_are_stated_verbatim():
    builder = PdfBuilder(catalog=b"/Lang (ja-JP)", info=b"/Title <FEFF65E5672C> /Author (Yamada\\000)")
    builder.page(b"")
    properties = run(builder.build()).observed.properties
    assert properties == {"language": "ja-JP", "title": "日本", "author": "Yamada"}


def test_a_title_that_is_no_whole_utf_16_does_not_cost_the_document():
    """Half a surrogate pair in a title, a label or the language refused whole files that read well."""
    half = b"<FEFFD80065E5>"
    builder = PdfBuilder(
        catalog=b"/Lang %s /PageLabels << /Nums [0 << /P %s >>] >>" % (half, half), info=b"/Title %s" % half
    )
    builder.page(b"")
    observed = run(builder.build()).observed
    assert observed.properties["title"] == observed.properties["language"] == observed.pages[0].label == "\ufffd日"


def test_page_labels_are_what_the_format_calls_its_pages():
    builder = PdfBuilder(catalog=b"/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) >>] >>")
    for _ in range(3):
        builder.page(b"")
    assert [page.label for page in run(builder.build()).observed.pages] == ["i", "ii", "A-1"]


def test_pages_without_labels_have_none():
    assert run(one_page(b"")).observed.pages[0].label is None


def test_a_dynamic_xfa_form_is_named_since_its_pages_are_a_placeholder():
    builder = PdfBuilder()
    xfa = builder.add(b"<< /Length 11 >>\nstream\n<xdp></xdp>\nendstream")
    builder.catalog = b"/NeedsRendering true /AcroForm << /Fields [] /XFA %s >>" % xfa
    builder.page(line("Please wait...", 72, 700))
    assert [finding.code for finding in run(builder.build()).observed.findings] == ["xfa_form"]


def test_form_values_and_free_text_are_part_of_the_page_and_hidden_ones_are_not():
    result = run(filled_form())
    assert result.outputs[0].text.split("\n") == ["Printed", "Filled in", "A remark"]
    assert "annotation" in result.observed.pages[0].signals
    boxes = [text_line.box for text_line in result.outputs[0].lines]
    assert boxes[1] is not None
    assert boxes[1].x0 == pytest.approx(102 / 612, abs=0.01)
    assert boxes[1].y1 == pytest.approx(1 - 603 / 792, abs=0.01)


def test_the_image_of_a_form_is_the_same_whether_or_not_it_was_read_before():
    """Its annotations are drawn into the page to be read, and drawn that way they look different."""
    data = filled_form()
    with OpenDocument(data, MEDIA_TYPE) as untouched:
        before = page_image(untouched, 1, dpi=72)
    with OpenDocument(data, MEDIA_TYPE) as document:
        PdfObserver().observe(document)
        assert page_image(document, 1, dpi=72) == before


def test_a_form_read_again_under_other_settings_keeps_its_signals():
    with OpenDocument(filled_form(), MEDIA_TYPE) as document:
        first = PdfObserver().observe(document).pages
        with overriding({"INDX_PDF_GARBAGE_SHARE": "0.9"}):
            assert PdfObserver().observe(document).pages == first
