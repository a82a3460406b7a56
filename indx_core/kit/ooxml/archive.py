"""Members of a zip archive under inflate limits. Knows nothing of relationships or XML.

Sizes are checked twice: as the central directory declares them, before anything is unpacked, and as they really come
out, since a directory can lie. Nothing is ever written to disk, so a member's name is only a key; names that try to
climb out are refused all the same, because no honest writer produces them.
"""

import io
import struct
import zipfile
import zlib
from typing import BinaryIO

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.kit.ooxml.settings import PackageSettings

RATIO_GRACE_BYTES = 16 * 1024 * 1024
"""Below this a high ratio harms nobody: a style sheet of one repeated entry may well reach 300."""

_ENTRY_SIGNATURE = b"PK\x01\x02"
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error, ValueError, OSError)
"""What zipfile raises on damage. ``ValueError``: a directory that points before the file is sought at a negative offset
(199 of 1,667 mutated packages)."""


class PartDamaged(SourceUnreadable):
    """One member cannot be unpacked or parsed. A reader may go on without it where the format treats it as optional."""


class Archive:
    """A zip archive in memory.

    Attributes:
        names: Member names as parts are addressed: ``/`` between segments, no leading one, in directory order.
    """

    def __init__(self, data: bytes, limits: PackageSettings) -> None:
        """Open the archive.

        Raises:
            SourceUnreadable: No zip archive, or beyond a limit.
            SourceEncrypted: Its members are encrypted.
        """
        self._limits = limits
        # Counted before zipfile builds an object per entry: a directory of a million entries costs seconds.
        if data.count(_ENTRY_SIGNATURE) > limits.max_members:
            raise _beyond("members", f"more than {limits.max_members} members", "INDX_OFFICE_MAX_MEMBERS")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise SourceUnreadable(f"the file is no readable Office package: {_reason(error)}") from None
        members = [info for info in self._zip.infolist() if info.filename and not info.is_dir()]
        self._check(members)
        self._members = {_part_name(info.filename): info for info in members}
        self._folded = {name.lower(): name for name in self._members}
        self.names = tuple(self._members)

    def find(self, name: str) -> str | None:
        """The member's own spelling of a part name: names compare without case (ECMA-376 part 2, 9.1.1)."""
        return self._folded.get(name.lower())

    def read(self, name: str) -> bytes:
        """A whole member.

        Raises:
            PartDamaged: It is missing or does not unpack.
            SourceUnreadable: It unpacks to more than it declares or than the limits allow.
        """
        with self.open(name) as stream:
            return stream.read()

    def open(self, name: str) -> BinaryIO:
        """A member as a stream that stops at the limits. Raises as ``read`` does, when read."""
        found = self.find(name)
        if found is None:
            raise PartDamaged(f"the package has no part {name}")
        return _LimitedStream(self._zip, self._members[found], self._limits)

    def close(self) -> None:
        """Release the archive."""
        self._zip.close()

    def _check(self, members: list[zipfile.ZipInfo]) -> None:
        limits = self._limits
        if len(members) > limits.max_members:
            raise _beyond("members", f"more than {limits.max_members} members", "INDX_OFFICE_MAX_MEMBERS")
        if sum(info.file_size for info in members) > limits.max_total_bytes:
            raise _beyond("total", f"more than {limits.max_total_bytes} bytes unpacked", "INDX_OFFICE_MAX_TOTAL_BYTES")
        for info in members:
            if info.flag_bits & 1:
                raise SourceEncrypted("the members of the Office package are encrypted")
            if ".." in info.filename.replace("\\", "/").split("/"):
                raise SourceUnreadable("a member of the package has a name that climbs out of it; it is no Office file")
            _check_size(info, info.file_size, limits)


class _LimitedStream(io.RawIOBase, BinaryIO):
    """Reads one member, counting what really comes out."""

    def __init__(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: PackageSettings) -> None:
        super().__init__()
        self._info = info
        self._limits = limits
        self._count = 0
        try:
            self._stream = archive.open(info)
        except _DAMAGE as error:
            raise self._damaged(error) from None

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(1024 * 1024), b""))
        try:
            data = self._stream.read(size)
        except _DAMAGE as error:
            raise self._damaged(error) from None
        self._count += len(data)
        _check_size(self._info, self._count, self._limits)
        return data

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()

    def _damaged(self, error: BaseException) -> PartDamaged:
        return PartDamaged(f"the part {_part_name(self._info.filename)} does not unpack: {_reason(error)}")


def _check_size(info: zipfile.ZipInfo, size: int, limits: PackageSettings) -> None:
    if size > limits.max_part_bytes:
        raise _beyond(
            "part", f"a part of more than {limits.max_part_bytes} bytes unpacked", "INDX_OFFICE_MAX_PART_BYTES"
        )
    if size > RATIO_GRACE_BYTES and size > limits.max_inflate_ratio * max(1, info.compress_size):
        raise _beyond(
            "ratio",
            f"a part that unpacks to more than {limits.max_inflate_ratio:g} times its size",
            "INDX_OFFICE_MAX_INFLATE_RATIO",
        )


def _beyond(limit: str, what: str, variable: str) -> SourceUnreadable:
    return SourceUnreadable(
        f"the package holds {what}, as a zip bomb does",
        remedy=f"raise {variable} if the file is genuine",
        details={"limit": limit},
    )


def _part_name(filename: str) -> str:
    """Some writers use backslashes or a leading slash; parts are addressed with neither."""
    return filename.replace("\\", "/").lstrip("/")


def _reason(error: BaseException) -> str:
    return str(error) or type(error).__name__
