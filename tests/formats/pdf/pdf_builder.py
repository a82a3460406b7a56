"""Tiny PDFs written by hand, so that a test shows every operator the page is made of.

Objects are numbered in the order they are added; the catalog is written last, under the number the trailer names. Text
in content streams is PDF syntax as a producer would write it. No font is embedded unless a test brings one: base-14
fonts and the predefined Japanese collections are enough for text, and base-14 for ink.
"""

import io
from dataclasses import dataclass, field

import pypdf

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
LETTER = (0.0, 0.0, 612.0, 792.0)


def japanese(encoding: str = "UniJIS-UTF16-H") -> bytes:
    """A Mincho font of the Adobe-Japan1 collection, not embedded. ``…-V`` encodings write vertically."""
    descendant = (
        b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000"
        b" /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >>"
        b" /FontDescriptor << /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 6 /Ascent 723 /Descent -241"
        b" /CapHeight 709 /ItalicAngle 0 /StemV 69 /FontBBox [-123 -257 1001 910] >> >>"
    )
    return (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /"
        + encoding.encode()
        + b" /DescendantFonts ["
        + descendant
        + b"] >>"
    )


def utf16(text: str) -> bytes:
    """A hexadecimal string operand for fonts encoded ``UniJIS-UTF16``."""
    return b"<" + text.encode("utf-16-be").hex().encode() + b">"


def stream(body: bytes, entries: bytes = b"") -> bytes:
    """A stream object with extra dictionary entries."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(body), entries, body)


def pixel_image(width: int = 1, height: int = 1) -> bytes:
    """A grey image XObject."""
    entries = b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8" % (
        width,
        height,
    )
    return stream(b"\x80" * (width * height), entries)


@dataclass
class PdfBuilder:
    """Collects objects and pages; ``build`` writes the file.

    Attributes:
        catalog: Extra catalog entries, such as ``/Lang (ja-JP)``.
        info: Entries of the information dictionary.
    """

    catalog: bytes = b""
    info: bytes = b""
    objects: list[bytes] = field(default_factory=lambda: [b""])
    page_numbers: list[int] = field(default_factory=list)

    def add(self, body: bytes) -> bytes:
        """Add an object; returns the reference to it."""
        self.objects.append(body)
        return b"%d 0 R" % len(self.objects)

    def page(
        self,
        content: bytes,
        *,
        fonts: dict[str, bytes] | None = None,
        xobjects: dict[str, bytes] | None = None,
        media_box: tuple[float, ...] = LETTER,
        extra: bytes = b"",
    ) -> None:
        """Add a page. Fonts and XObjects are bodies, or references that ``add`` returned."""
        resources = b"<< /Font << " + self._named(fonts or {"F1": HELVETICA}) + b" >>"
        resources += b" /XObject << " + self._named(xobjects or {}) + b" >> >>"
        body = self.add(stream(content))
        box = b" ".join(b"%g" % side for side in media_box)
        self.add(
            b"<< /Type /Page /Parent 1 0 R /MediaBox [%s] /Resources %s /Contents %s %s >>"
            % (box, resources, body, extra)
        )
        self.page_numbers.append(len(self.objects))

    def build(self) -> bytes:
        """The file: header, objects, cross-reference table, trailer."""
        kids = b" ".join(b"%d 0 R" % number for number in self.page_numbers)
        objects = [b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(self.page_numbers), kids), *self.objects[1:]]
        objects.append(b"<< /Type /Catalog /Pages 1 0 R %s >>" % self.catalog)
        root = len(objects)
        objects.append(b"<< %s >>" % self.info)
        out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(objects) + 1,
            root,
            root + 1,
            start,
        )
        return bytes(out)

    def _named(self, items: dict[str, bytes]) -> bytes:
        return b" ".join(
            b"/%s %s" % (name.encode(), body if body.endswith(b" 0 R") else self.add(body))
            for name, body in items.items()
        )


def one_page(content: bytes, **options: object) -> bytes:
    """A file of one page."""
    builder = PdfBuilder()
    builder.page(content, **options)  # type: ignore[arg-type]
    return builder.build()


def filled_form() -> bytes:
    """A page that prints "Printed" and has a field "Filled in", a free text "A remark" and a field hidden from view."""
    builder = PdfBuilder(catalog=b"/AcroForm << /Fields [] /NeedAppearances true /DA (/Helv 10 Tf 0 g) >>")
    font = builder.add(HELVETICA)

    def appearance(text: bytes) -> bytes:
        body = b"BT /F1 10 Tf 2 5 Td (%s) Tj ET" % text
        return builder.add(
            b"<< /Type /XObject /Subtype /Form /BBox [0 0 150 20] /Resources << /Font << /F1 %s >> >> /Length %d >>\n"
            b"stream\n%s\nendstream" % (font, len(body), body)
        )

    def annotation(subtype: bytes, text: bytes, y: int, flags: int) -> bytes:
        return builder.add(
            b"<< /Type /Annot /Subtype /%s /FT /Tx /T (f%d) /V (%s) /Rect [100 %d 250 %d] /F %d /AP << /N %s >> >>"
            % (subtype, y, text, y, y + 20, flags, appearance(text))
        )

    annotations = [
        annotation(b"Widget", b"Filled in", 600, 4),
        annotation(b"FreeText", b"A remark", 560, 4),
        annotation(b"Widget", b"Hidden away", 520, 2),
    ]
    builder.page(line("Printed", 72, 700), extra=b"/Annots [%s]" % b" ".join(annotations))
    return builder.build()


def encrypted(data: bytes, user_password: str) -> bytes:
    """The file, encrypted with AES-256."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(user_password, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def for_certificates(data: bytes) -> bytes:
    """The file, said to be encrypted for the holders of certificates (ISO 32000-2, 7.6.5)."""
    handler = b"/Encrypt << /Filter /Adobe.PubSec /SubFilter /adbe.pkcs7.s5 /V 4 >> /ID [<00> <00>]"
    return data.replace(b"trailer\n<<", b"trailer\n<< " + handler)


def refused_by_pdfium(data: bytes) -> bytes:
    """The file without its header: PDFium does not open it, pypdf does."""
    return data.replace(b"%PDF-1.7", b"%!junk!!")


def line(text: str, x: float, y: float, size: float = 12, font: str = "F1") -> bytes:
    """A text object: Latin text from (x, y) on, in page units with the origin at the bottom left."""
    return b"BT /%s %g Tf %g %g Td (%s) Tj ET\n" % (font.encode(), size, x, y, text.encode("cp1252"))


def ja_line(text: str, x: float, y: float, size: float = 12, font: str = "F1") -> bytes:
    """The same for a font encoded ``UniJIS-UTF16``."""
    return b"BT /%s %g Tf %g %g Td %s Tj ET\n" % (font.encode(), size, x, y, utf16(text))
