"""From bytes and a declared charset to text, without exceptions: labels in mail are wrong, unknown or missing.

The declared charset wins while the bytes can be text in it. Where they cannot, or where the label is one that fits any
bytes (Latin-1), the bytes are looked at, and a finding says what was declared and what was read. Only what real mail
needs is guessed: UTF-8, the three Japanese encodings, else Windows-1252.
"""

import codecs
import re
from collections.abc import Callable, Iterable

from indx_core.kit.japanese import decode_euc_jp, decode_iso_2022_jp, guess, has_jis_escape

Findings = list[tuple[str, str]]
"""``(code, message)`` pairs, collected while a message is read."""

_HIGH = re.compile(rb"[\x80-\xff]")
_SURROGATE = re.compile("[\ud800-\udfff]")

_ALIASES = {
    # Windows names, and the WHATWG Encoding Standard's readings: writers of these labels mean the larger set.
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "ms_kanji": "cp932",
    "windows-31j": "cp932",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "ansi_x3.4-1968": "cp1252",
    "iso-8859-8-i": "iso-8859-8",
    "iso-8859-11": "cp874",
    "unicode-1-1-utf-7": "utf-7",
    "cp-850": "cp850",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
}
_FITS_ANY_BYTES = {"cp1252"}
_JIS_LABELS = re.compile(r"(cs)?iso-?2022-?jp|cp5022[0-2]|jis$")
_EUC_LABELS = re.compile(r"(x-)?euc-?jp|cseucpkdfmtjapanese|cp51932|ujis")


def decode(data: bytes, label: str | None, findings: Findings) -> str:
    """Text of ``data``; never raises.

    Args:
        data: Bytes after transfer decoding.
        label: The declared charset as written; ``None`` when the part declares none.
        findings: Gets ``charset_unknown``, ``charset_wrong`` or ``undecodable_bytes`` where one applies.
    """
    if not _HIGH.search(data) and not has_jis_escape(data) and not _stateful(label):
        return data.decode("ascii")
    codec = _codec(label)
    if label and codec is None:
        findings.append(("charset_unknown", f"the charset {_shown(label)} is not known; the bytes were looked at"))
    text = _strictly(data, codec) if codec else None
    if text is not None and codec not in _FITS_ANY_BYTES:
        return _without_halves(text, label or "", findings)
    name, guessed = guess(data)
    if name and name != codec:
        if label and codec:
            findings.append(("charset_wrong", f"declared {_shown(label)}, read as {name}"))
        return guessed
    if text is not None:
        return text
    if codec:
        findings.append(("undecodable_bytes", f"some bytes are no {_shown(label or codec)} and read as U+FFFD"))
        return _replacing(data, codec)
    return _western(data)


def _codec(label: str | None) -> str | None:
    if not label:
        return None
    name = _plain(label)
    if _JIS_LABELS.match(name):
        return "iso-2022-jp"
    if _EUC_LABELS.match(name):
        return "euc-jp"
    name = _ALIASES.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):  # ValueError: a NUL in the label
        return None
    # The registry also holds codecs that are no charsets (base64, rot13) or not meant for data from outside.
    return _ALIASES.get(info.name, info.name) if _is_charset(info) and info.name not in _NOT_FOR_MAIL else None


_NOT_FOR_MAIL = {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem"}


def _is_charset(info: codecs.CodecInfo) -> bool:
    return bool(getattr(info, "_is_text_encoding", True))


def _plain(label: str) -> str:
    """The label without quotes, a language, and the leftovers of a header that was quoted-printable itself."""
    name = label.strip().strip("\"'").lower().split("*")[0].strip()
    return name.removeprefix('3d"').removeprefix("3d").strip("\"' ")


def _stateful(label: str | None) -> bool:
    """Whether ASCII bytes may mean something else under this label: UTF-7, UTF-16, Chinese and Korean ISO-2022, HZ."""
    return bool(label) and _plain(label or "").startswith(
        ("utf-7", "unicode", "utf-16", "utf-32", "iso-2022-", "hz", "ucs")
    )


def _strictly(data: bytes, codec: str) -> str | None:
    if codec == "iso-2022-jp":
        # Without an escape sequence, bytes above 127 are another encoding under this label.
        return _whole(decode_iso_2022_jp, data) if has_jis_escape(data) or not _HIGH.search(data) else None
    if codec == "euc-jp":
        return _whole(decode_euc_jp, data)
    try:
        return data.decode(codec)
    except (UnicodeError, ValueError):
        return data.decode("latin-1") if codec == "cp1252" else None


def _without_halves(text: str, label: str, findings: Findings) -> str:
    """The text with halves of surrogate pairs, which UTF-7 can spell and no output can hold, as U+FFFD."""
    whole = _SURROGATE.sub("\ufffd", text)
    if whole != text:
        findings.append(("undecodable_bytes", f"some bytes are no {_shown(label)} and read as U+FFFD"))
    return whole


def _whole(read: Callable[[bytes], str], data: bytes) -> str | None:
    text = read(data)
    return None if "\ufffd" in text else text


def _replacing(data: bytes, codec: str) -> str:
    if codec == "iso-2022-jp":
        return decode_iso_2022_jp(data)
    return decode_euc_jp(data) if codec == "euc-jp" else _SURROGATE.sub("\ufffd", data.decode(codec, "replace"))


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _shown(label: str) -> str:
    """A label as it may stand in a message: short and printable."""
    return "".join(character for character in label[:40] if character.isprintable())


def unique(findings: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Each finding once, in the order first made."""
    return tuple(dict.fromkeys(findings))
