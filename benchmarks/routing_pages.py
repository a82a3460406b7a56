"""Pages drawn for the routing benchmark: each shows text, and its text layer tells the truth, lies, or is missing.

Every page shows the same lines as ink; what differs is what a program that asks for its text gets. No file is kept.
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))  # where PDFs are written by hand

from formats.pdf.pdf_builder import HELVETICA, PdfBuilder, line, stream

LINES = (
    "Minutes of the meeting held on 3 April",
    "The board approved the accounts for the year",
    "Next meeting: 8 May",
)
WRONG = ("Mnutcs 0f lhc mcctmg hcld 0n 3 Aprl", "Tbc b0ard appr0vcd tbc acc0unls f0r tbc ycar", "Nexl mceling: B Way")


def text(lines: tuple[str, ...] = LINES, prefix: bytes = b"") -> bytes:
    """Content that shows lines from the top; ``prefix`` stands in front, such as ``3 Tr`` for invisible text."""
    return prefix + b"\n".join(line(each, 72, 700 - 30 * row, 14) for row, each in enumerate(lines))


def picture() -> bytes:
    """A page image (100 dpi, grey JPEG) that shows the lines."""
    image = Image.new("L", (850, 1100), 245)
    pen = ImageDraw.Draw(image)
    for row, each in enumerate(LINES):
        pen.text((100, 110 + 42 * row), each, fill=20, font_size=20)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    entries = b"/Type /XObject /Subtype /Image /Width 850 /Height 1100 /ColorSpace /DeviceGray /BitsPerComponent 8"
    return stream(out.getvalue(), entries + b" /Filter /DCTDecode")


DRAW = b"q 612 0 0 792 0 0 cm /Im Do Q\n"
HIDDEN = b"3 Tr\n"


def page(content: bytes, to_unicode: Callable[[int], int] | None = None, image: bool = False) -> bytes:
    """A file of one page; ``to_unicode`` maps the codes of its font to what the text layer claims they are."""
    builder = PdfBuilder()
    font = HELVETICA
    if to_unicode is not None:
        pairs = b" ".join(b"<%02x> <%04x>" % (code, to_unicode(code)) for code in range(32, 127))
        cmap = builder.add(
            stream(
                b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def\n"
                b"1 begincodespacerange <00> <FF> endcodespacerange\n95 beginbfchar %s endbfchar endcmap end end"
                % pairs
            )
        )
        font = HELVETICA[:-2] + b" /ToUnicode %s >>" % cmap
    builder.page(content, fonts={"F1": font}, xobjects={"Im": picture()} if image else {})
    return builder.build()


def mixed(every: int) -> Callable[[int], int]:
    """A mapping in which every n-th code is a replacement character."""
    return lambda code: 0xFFFD if code % every == 0 else code


MADE: dict[str, Callable[[], bytes]] = {
    "plain": lambda: page(text()),
    "honest mapping": lambda: page(text(), to_unicode=lambda code: code),
    "scan": lambda: page(DRAW, image=True),
    "scan under a good hidden layer": lambda: page(DRAW + text(LINES, HIDDEN), image=True),
    "scan under a bad hidden layer": lambda: page(DRAW + text(WRONG, HIDDEN), image=True),
    "good layer covered by the scan": lambda: page(text() + b"\n" + DRAW, image=True),
    "bad layer covered by the scan": lambda: page(text(WRONG) + b"\n" + DRAW, image=True),
    "scan with a stamped page number": lambda: page(DRAW + line("EX-0042", 500, 20, 9), image=True),
    "text over a page-wide photograph": lambda: page(b"q 612 0 0 792 0 0 cm /Im Do Q\n" + text(), image=True),
    "all private use": lambda: page(text(), to_unicode=lambda code: 0xE000 + code),
    "all replacement": lambda: page(text(), to_unicode=lambda _code: 0xFFFD),
    "all control": lambda: page(text(), to_unicode=lambda code: 1 + code % 8),
    "shifted by one": lambda: page(text(), to_unicode=lambda code: code + 1),
    "rotated alphabet": lambda: page(text(), to_unicode=lambda code: 0x61 + (code * 7) % 26),
    "every third character lost": lambda: page(text(), to_unicode=mixed(3)),
    "every eighth character lost": lambda: page(text(), to_unicode=mixed(8)),
    "bullets of a symbol font": lambda: page(text(), to_unicode=lambda code: 0xF0B7 if code == 58 else code),
    "blank": lambda: page(b""),
    "rules only": lambda: page(b"72 700 m 540 700 l S 72 650 m 540 650 l S"),
}
"""Pages by name."""
