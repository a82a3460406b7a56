"""Japanese text in bytes: the two encodings whose real use is wider than Python's codecs, and a cautious guess.

Programs write NEC and IBM extension characters (①, ㈱, 髙) and half-width kana into ISO-2022-JP and EUC-JP; the codecs
of the standard library refuse them. Shift_JIS needs nothing of the kind: its extended form is the codec ``cp932``.
What a format declares of its encoding, and what follows when it lied, is that format's business.
"""

import re
from collections.abc import Callable

_ESCAPE = re.compile(rb"\x1b(\$\(D|\$[@B]|\([BJI])")
_JIS_TEXT = re.compile(rb"\x1b(\$\(D|\$[@B]|\(I)")
_PAIR = re.compile(rb"\x8f[\xa1-\xfe]{2}|[\xa1-\xfe]{2}|\x8e[\xa1-\xdf]|.", re.DOTALL)
_REPLACEMENT = "\ufffd"
_PLAUSIBLE_SHARE = 0.8


def guess(data: bytes) -> tuple[str, str]:
    """Name and text of the encoding that the bytes themselves show, or two empty strings.

    UTF-8 is certain when multi-byte sequences validate. Shift_JIS and EUC-JP accept much Western text by accident, so
    they count only when nearly all characters are ones that Japanese is written with.
    """
    if has_jis_escape(data):
        return "iso-2022-jp", decode_iso_2022_jp(data)
    try:
        return "utf-8", data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    for name, text in (("shift_jis", data.decode("cp932", "replace")), ("euc-jp", decode_euc_jp(data))):
        if japanese_share(text) >= _PLAUSIBLE_SHARE:
            return name, text
    return "", ""


def has_jis_escape(data: bytes) -> bool:
    """Whether a sequence switches to kanji or kana, as only ISO-2022-JP text has it."""
    return bool(_JIS_TEXT.search(data))


def japanese_share(text: str) -> float:
    """Share (0-1) of the non-ASCII characters that are kana, Japanese signs or the 2,965 kanji of everyday use.

    The rarer kanji and half-width kana do not count: they are what Western text looks like when read as Shift_JIS.
    """
    others = [character for character in text if ord(character) > 127]
    return sum(_everyday(character) for character in others) / len(others) if others else 0.0


def _everyday(character: str) -> bool:
    try:
        code = character.encode("euc_jp")
    except UnicodeEncodeError:
        return False
    # Rows 1 to 8 of JIS X 0208 are signs and kana, rows 16 to 47 the kanji of level 1.
    return len(code) == 2 and (0xA1 <= code[0] <= 0xA8 or 0xB0 <= code[0] <= 0xCF)


def decode_iso_2022_jp(data: bytes) -> str:
    """Text of ISO-2022-JP bytes (RFC 1468), with half-width kana, JIS X 0212 and the NEC and IBM extensions.

    Never raises: what has no meaning becomes U+FFFD. Tolerates a text that ends inside a two-byte mode, which is what a
    header cut by a mail gateway looks like. Bytes above 127 outside an escape are read as Shift_JIS, as CP50221 does.
    """
    try:
        return data.decode("iso2022_jp_2004") if b"\x1b$(" in data else data.decode("iso2022_jp")
    except UnicodeDecodeError:
        pass
    pieces = []
    position, mode = 0, b"(B"
    for escape in [*_ESCAPE.finditer(data), None]:
        end = escape.start() if escape else len(data)
        pieces.append(_MODES[mode](data[position:end]))
        if escape:
            position, mode = escape.end(), escape.group(1)
    return "".join(pieces)


def decode_euc_jp(data: bytes) -> str:
    """Text of EUC-JP bytes with the extensions that Windows and Unix programs write. Never raises: see above."""
    try:
        return data.decode("euc_jp")
    except UnicodeDecodeError:
        return "".join(_character(match.group()) for match in _PAIR.finditer(data))


def _character(code: bytes) -> str:
    """One character of EUC-JP; where the standard has none, the one Windows puts at the same row and column."""
    try:
        return code.decode("euc_jp")
    except UnicodeDecodeError:
        return _shifted(code) if len(code) == 2 else _REPLACEMENT


def _shifted(code: bytes) -> str:
    """The character of an EUC pair through Shift_JIS arithmetic (JIS X 0208:1997, annex 1)."""
    row, cell = code[0] - 0xA0, code[1] - 0xA0
    lead = (row - 1) // 2 + (0x81 if row <= 62 else 0xC1)
    trail = cell + (0x9E if row % 2 == 0 else 0x3F if cell <= 63 else 0x40)
    return bytes((lead, trail)).decode("cp932", "replace")


def _two_byte(run: bytes) -> str:
    """Pairs of a two-byte mode. A line end inside one belongs to a writer that forgot to switch back."""
    lines = run.split(b"\n")
    return "\n".join(decode_euc_jp(bytes(byte | 0x80 if byte > 0x20 else byte for byte in line)) for line in lines)


def _supplementary(run: bytes) -> str:
    pairs = (run[at : at + 2] for at in range(0, len(run), 2))
    return decode_euc_jp(b"".join(b"\x8f" + bytes(byte | 0x80 for byte in pair) for pair in pairs))


_MODES: dict[bytes, Callable[[bytes], str]] = {
    b"(B": lambda run: run.decode("cp932", "replace"),
    b"(J": lambda run: run.decode("cp932", "replace"),
    b"(I": lambda run: bytes(byte | 0x80 if 0x21 <= byte <= 0x5F else byte for byte in run).decode("cp932", "replace"),
    b"$@": _two_byte,
    b"$B": _two_byte,
    b"$(D": _supplementary,
}
