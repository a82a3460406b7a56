"""Bytes to text, by the encodings a deployment names and no others.

Does not split pages.
"""

import codecs
import re
from typing import NamedTuple

from indx_core.contracts.errors import SourceUnreadable

_MARKS = (  # the longer marks first: UTF-32's little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NEED_MARK = {"utf-16", "utf-32"}
"""Without a mark, Python decodes these in the machine's byte order, and nearly any even number of bytes passes."""

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f-\x84\x86-\x9f]")
"""What text never holds: every control but tab, line ends, form feed, escape, next line, and DOS's end of file."""

_NOISE_SHARE = 0.05
"""Random bytes read as Latin-1 hold 21 % of these; a log with stray colour codes or bells well under 1 %."""


class Decoded(NamedTuple):
    """A text with line feeds for line ends and no byte-order mark, and the encoding that decoded it."""

    text: str
    encoding: str


def decode(data: bytes, encodings: tuple[str, ...]) -> Decoded:
    """Decode with the first encoding that fits, strictly. A byte-order mark puts the encoding it names first.

    Args:
        data: The whole source.
        encodings: Names Python knows, in the order to try.

    Raises:
        SourceUnreadable: None fits, or what decodes is binary noise.
    """
    mark = next((name for prefix, name in _MARKS if data.startswith(prefix)), None)
    for encoding in sorted(encodings, key=lambda name: _canonical(name) != mark):  # stable: else the order given
        if _canonical(encoding) in _NEED_MARK and _canonical(encoding) != mark:
            continue
        try:
            text = data.decode(encoding)
            text.encode("utf-8")  # UTF-7 decodes halves of surrogate pairs, which no output can hold
        except UnicodeError:
            continue
        return Decoded(_plain(text), encoding)
    raise SourceUnreadable(
        f"the text does not decode as {' or '.join(encodings)}{_hint(mark, encodings)}",
        remedy="name its encoding in INDX_TEXT_ENCODING",
    )


def _canonical(name: str) -> str:
    return codecs.lookup(name).name


def _hint(mark: str | None, tried: tuple[str, ...]) -> str:
    if mark is None or mark in map(_canonical, tried):
        return ""
    return f"; its byte-order mark says {mark}: add it to INDX_TEXT_ENCODING"


def _plain(text: str) -> str:
    text = text.removeprefix("\ufeff")
    if "\0" in text:
        raise SourceUnreadable("the source holds NUL characters: it is not text, or not in the encoding it decodes as")
    if len(_CONTROLS.findall(text)) > len(text) * _NOISE_SHARE:
        raise SourceUnreadable("the source is mostly control characters: it is not text")
    return text.replace("\r\n", "\n").replace("\r", "\n")
