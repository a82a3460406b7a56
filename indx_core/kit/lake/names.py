"""Object names: how a table and a partition key become a path that every store accepts, and back.

Holds the two inverse functions and nothing about stores. A name keeps the key's folders and its own script, so a
person finds ``chunks/filings/2026/決算短信.pdf.parquet`` where they expect it; what some store or file system refuses
is percent-escaped.
"""

import re
from urllib.parse import unquote_to_bytes

SUFFIX = ".parquet"
SEGMENT_BYTES = 240
"""Longest piece of a name between slashes: file systems allow 255 bytes, and the suffix must fit."""

_CONTINUES = "~"
"""Ends a piece whose segment goes on in the next one. Never stands in a piece otherwise: ``~`` is escaped."""
_EMPTY = "%-"
"""An empty segment, which stores fold away."""

# Control characters, what S3, Azure or Windows refuse or advise against, DuckDB's glob characters, lone surrogates.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f%\\:*?"<>|#\[\]{}^`~\ud800-\udfff]')
# At the front: `.`, `..` and hidden files, which stores resolve or hide. At the end: what Azure and Windows cut off.
_UNSAFE_EDGE = re.compile(r"^[._]|[. ]$")


def object_name(table: str, partition: str) -> str:
    """The object that holds a partition of a table: ``<table>/<escaped partition>.parquet``.

    Injective: two partitions never share an object, and no object's name is a folder of another's.

    Args:
        table: ``chunks``, or ``vectors/<space>``.
        partition: A source key or a shard's name, any characters.
    """
    folders = partition.split("/")
    last = folders.pop()
    pieces = [piece for folder in folders for piece in _pieces(_folder(folder))]
    return "/".join([table_prefix(table), *pieces, *_pieces(_escape(last))]) + SUFFIX


def partition_of(table: str, name: str) -> str | None:
    """The partition an object holds: the inverse of ``object_name``; ``None`` for an object that is none of ours."""
    prefix = table_prefix(table) + "/"
    if not name.startswith(prefix) or not name.endswith(SUFFIX):
        return None
    segments = [""]
    for piece in name[len(prefix) : -len(SUFFIX)].split("/"):
        if piece.endswith(_CONTINUES):
            segments[-1] += piece[:-1]
        else:
            segments[-1] += piece
            segments.append("")
    partition = "/".join(_unescape(segment) for segment in segments[:-1])
    return partition if object_name(table, partition) == name else None


def table_prefix(table: str) -> str:
    """The folder of a table, without a closing slash."""
    return "/".join(_escape(segment) for segment in table.split("/"))


def _pieces(segment: str) -> list[str]:
    """The segment cut where it outgrows a file name, never inside a character or an escape."""
    pieces = []
    while len(segment.encode()) > SEGMENT_BYTES:
        head = segment.encode()[: SEGMENT_BYTES - 1].decode(errors="ignore")
        cut = head.rfind("%", len(head) - 2)
        head = head if cut < 0 else head[:cut]
        pieces.append(head + _CONTINUES)
        segment = _UNSAFE_EDGE.sub(_percent, segment[len(head) :])
    return [*pieces, segment]


def _folder(segment: str) -> str:
    """A folder never ends like an object: keys ``a`` and ``a.parquet/b`` would claim the same path."""
    escaped = _escape(segment)
    return escaped.removesuffix(SUFFIX) + "%2Eparquet" if escaped.endswith(SUFFIX) else escaped


def _escape(segment: str) -> str:
    if not segment:
        return _EMPTY
    return _UNSAFE_EDGE.sub(_percent, _UNSAFE.sub(_percent, segment))


def _unescape(segment: str) -> str:
    if segment == _EMPTY:
        return ""
    return unquote_to_bytes(segment.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))
