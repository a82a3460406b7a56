"""The pages of a TIFF file, out of its chain of directories, without decoding a pixel: the one enumerator of TIFF.

Observer, recognition and page images all count with it, so a page number names the same directory everywhere. Structure
after TIFF 6.0, section 2: a header with the offset of the first image file directory (IFD), each IFD ending in the
offset of the next. Thumbnails (NewSubfileType, tag 254, bit 0: a reduced-resolution version of another image) are no
pages. Sub-directories (tag 330) are not in the chain and no pages either.
"""

import struct
from typing import NamedTuple

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import Finding

MEDIA_TYPE = "image/tiff"

_BYTE_ORDERS = {b"II": "<", b"MM": ">"}
_CLASSIC, _BIG = 42, 43
_NEW_SUBFILE_TYPE = 254
_SHORT, _LONG = 3, 4
_REDUCED = 1
_ENTRY_BYTES = 12
_MOST_DIRECTORIES = 65_535
"""As in libtiff: a longer chain is an attack on whoever walks it."""


class TiffPages(NamedTuple):
    """The directories that are pages, in chain order, by their offset in the file; and what was wrong on the way."""

    offsets: tuple[int, ...]
    findings: tuple[Finding, ...] = ()


class _Directory(NamedTuple):
    offset: int
    reduced: bool
    following: int


def is_tiff(data: bytes) -> bool:
    """Whether bytes start as TIFF does, BigTIFF included: that one is refused by name when it is opened."""
    order = _BYTE_ORDERS.get(data[:2])
    return order is not None and len(data) >= 4 and struct.unpack_from(order + "H", data, 2)[0] in (_CLASSIC, _BIG)


def tiff_pages(data: bytes) -> TiffPages:
    """Walk the chain of directories. Every offset is checked against the file, and no directory is visited twice.

    Raises:
        SourceUnreadable: BigTIFF, no directory at all, or an endless chain.
    """
    order = _byte_order(data)
    directories: list[_Directory] = []
    findings: list[Finding] = []
    visited: set[int] = set()
    offset = _unpack(order + "I", data, 4) or 0
    while offset:
        if offset in visited:
            findings.append(Finding(code="tiff_ifd_loop", message="the chain of pages returns to an earlier page"))
            break
        if len(directories) == _MOST_DIRECTORIES:
            raise SourceUnreadable(f"the TIFF file chains more than {_MOST_DIRECTORIES} images", param="source")
        visited.add(offset)
        directory, finding = _directory(data, order, offset)
        if directory is not None:
            directories.append(directory)
        if finding is not None:
            findings.append(finding)
            break
        offset = directory.following if directory is not None else 0
    return _pages(directories, findings)


def single_page(data: bytes, offset: int) -> bytes:
    """The file with another first directory: a decoder that opens it sees the page at ``offset`` first."""
    order = _byte_order(data)
    return data[:4] + struct.pack(order + "I", offset) + data[8:]


def _pages(directories: list[_Directory], findings: list[Finding]) -> TiffPages:
    if not directories:
        raise SourceUnreadable("the TIFF file holds no image directory", param="source")
    full = tuple(directory.offset for directory in directories if not directory.reduced)
    if full:
        return TiffPages(full, tuple(findings))
    # Raw camera files chain the preview and keep the picture in a sub-directory: the preview is what there is to see.
    message = "every image of the file calls itself a thumbnail; the first one is taken as the page"
    return TiffPages((directories[0].offset,), (*findings, Finding(code="tiff_only_thumbnails", message=message)))


def _byte_order(data: bytes) -> str:
    order = _BYTE_ORDERS.get(data[:2])
    magic = _unpack(order + "H", data, 2) if order else None
    if magic == _BIG:
        raise SourceUnreadable(
            "BigTIFF is not read", param="source", remedy="save it as a classic TIFF (under 4 GiB), PDF, or PNG"
        )
    if order is None or magic != _CLASSIC:
        raise SourceUnreadable("the file does not start as a TIFF file does", param="source")
    return order


def _directory(data: bytes, order: str, offset: int) -> tuple[_Directory | None, Finding | None]:
    """The directory at an offset, or what keeps it from being one. A cut one is a page still: the chain states it."""
    count = _unpack(order + "H", data, offset)
    if not count:
        message = f"the chain of pages points to byte {offset}, where there is no directory"
        return None, Finding(code="tiff_ifd_invalid", message=message)
    end = offset + 2 + count * _ENTRY_BYTES
    following = _unpack(order + "I", data, end)
    complete = min(count, (len(data) - offset - 2) // _ENTRY_BYTES)
    directory = _Directory(offset, _is_reduced(data, order, offset + 2, complete), following or 0)
    if following is None:
        return directory, Finding(code="tiff_ifd_truncated", message="the file ends within the directory of a page")
    return directory, None


def _is_reduced(data: bytes, order: str, first: int, count: int) -> bool:
    for entry in range(first, first + count * _ENTRY_BYTES, _ENTRY_BYTES):
        tag, kind = struct.unpack_from(order + "HH", data, entry)
        if tag == _NEW_SUBFILE_TYPE and kind in (_SHORT, _LONG):
            (value,) = struct.unpack_from(order + ("H" if kind == _SHORT else "I"), data, entry + 8)
            return bool(value & _REDUCED)
    return False


def _unpack(layout: str, data: bytes, offset: int) -> int | None:
    """One unsigned number, or ``None`` where the file ends before it does."""
    if offset + struct.calcsize(layout) > len(data):
        return None
    number: int = struct.unpack_from(layout, data, offset)[0]
    return number
