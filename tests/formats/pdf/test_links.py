"""Link annotations: what leads out of the file is kept with its words and its place, what stays in the file is not."""

import pytest
from formats.pdf.pdf_builder import PdfBuilder, filled_form
from formats.pdf.pdf_reading import read

from indx_core.contracts.page import Box, Link

_TEXT = b"BT /F1 12 Tf 100 700 Td (See the rule on retention) Tj ET"
_OVER_THE_RULE = b"/Rect [121 696 163 712]"


def linked(action: bytes, rectangle: bytes = _OVER_THE_RULE, extra: bytes = b"") -> tuple[Link, ...]:
    """The links of a page with one line of text and one annotation."""
    builder = PdfBuilder()
    annotation = builder.add(b"<< /Type /Annot /Subtype /Link %s %s >>" % (rectangle, action))
    builder.page(_TEXT, extra=b"/Annots [%s] %s" % (annotation, extra))
    return read(builder.build()).links


@pytest.mark.parametrize(
    ("action", "target"),
    [
        (b"/A << /S /URI /URI (https://example.com/rule?v=2#s3) >>", "https://example.com/rule?v=2#s3"),
        (b"/A << /S /URI /URI (../legal/gdpr.pdf) >>", "../legal/gdpr.pdf"),
        (b"/A << /S /GoToR /F (../legal/gdpr.pdf) /D [0 /Fit] >>", "../legal/gdpr.pdf"),
        (b"/A << /S /GoToR /F << /Type /Filespec /F (x.pdf) /UF <FEFF898F7A0B002E007000640066> >> >>", "規程.pdf"),
        (b"/A << /S /Launch /F (table.xlsx) >>", "table.xlsx"),
    ],
    ids=["address", "relative address", "another PDF", "Japanese name", "a file to open"],
)
def test_a_link_out_of_the_file_is_kept_as_it_is_written(action: bytes, target: str) -> None:
    (link,) = linked(action)
    assert link.target == target
    assert link.text == "the rule"


@pytest.mark.parametrize(
    "action",
    [
        b"/Dest [0 /Fit]",
        b"/A << /S /GoTo /D [0 /Fit] >>",
        b"/A << /S /JavaScript /JS (app.alert\\(1\\)) >>",
        b"/A << /S /URI >>",
        b"/A << /S /URI /URI (%s) >>" % (b"x" * 4000),
        b"",
    ],
    ids=["destination", "go to", "script", "no address", "endless address", "no action"],
)
def test_what_does_not_leave_the_file_is_no_link(action: bytes) -> None:
    assert linked(action) == ()


def test_a_link_stands_where_its_words_are_displayed() -> None:
    (upright,) = linked(b"/A << /S /URI /URI (a.pdf) >>", b"/Rect [153 396 306 594]")
    assert upright.box == Box(0.25, 0.25, 0.5, 0.5)
    (turned,) = linked(b"/A << /S /URI /URI (a.pdf) >>", b"/Rect [153 396 306 594]", b"/Rotate 90")
    assert turned.box == Box(0.5, 0.25, 0.75, 0.5)


def test_a_link_beside_the_page_has_no_box_and_no_words() -> None:
    assert linked(b"/A << /S /URI /URI (a.pdf) >>", b"/Rect [900 900 950 950]") == (Link("a.pdf"),)


def test_a_link_survives_that_form_fields_are_drawn_into_the_page() -> None:
    """Drawing them removes every annotation of the page, links included."""
    form = filled_form()
    link = b"<< /Type /Annot /Subtype /Link /Rect [70 690 200 715] /A << /S /URI /URI (a.pdf) >> >>"
    data = form.replace(b"/Annots [", b"/Annots [" + link, 1)
    assert data != form
    assert [each.target for each in read(data).links] == ["a.pdf"]
    assert "Filled in" in read(data).text
