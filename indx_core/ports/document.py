"""The handle that every port of one document shares: its bytes, and whatever was opened from them.

A document is observed, read and chunked in one process. Opening is most of the cost of small files (PDFium parses a
page's content when the page is loaded), so whoever opens first leaves the opened object here and closes it with the
document. Does not know any format: what a format's own reader would say of a page is asked through the handle, so that
a signature and its parser stand on the same text as the ladder without importing a format.
"""

import hashlib
from collections.abc import Callable
from functools import cached_property
from types import TracebackType
from typing import Any, Self, TypeVar, cast

from indx_core.contracts.page import PageOutput

T = TypeVar("T")
NativeRead = Callable[["OpenDocument", int], PageOutput | None]
"""Reads one page with the format's own reader; ``None`` where there is none, or where it has no answer."""


class OpenDocument:
    """Bytes of one source with a per-document cache of opened objects. Not thread-safe; closes what it opened.

    Attributes:
        data: The whole source.
        media_type: As sniffed or declared.
        filename: What the source is called, if anything.
    """

    def __init__(
        self, data: bytes, media_type: str, filename: str | None = None, native_read: NativeRead | None = None
    ) -> None:
        """Args: ``native_read`` answers ``native_page``; whoever opens a document with a registry gives it."""
        self.data = data
        self.media_type = media_type
        self.filename = filename
        self._native_read = native_read
        self._opened: dict[str, Any] = {}
        self._closers: list[Callable[[], object]] = []

    @cached_property
    def digest(self) -> str:
        """``sha256:<hex>`` of the bytes."""
        return "sha256:" + hashlib.sha256(self.data).hexdigest()

    def once(self, key: str, build: Callable[[], T], close: Callable[[T], object] | None = None) -> T:
        """The object under ``key``, built on first use and closed with the document.

        Args:
            key: Name private to the caller's folder, such as ``pdf.document``.
            build: Makes it. What it raises is not remembered.
            close: Called with it when the document closes, last opened first.
        """
        if key not in self._opened:
            value = build()
            self._opened[key] = value
            if close is not None:
                self._closers.append(lambda: close(value))
        return cast("T", self._opened[key])

    def native_page(self, number: int) -> PageOutput | None:
        """What the format's own reader, of kind ``native-extraction``, says of a page; read once per document.

        Args:
            number: 1-based page number of the observation.

        Returns:
            Its output, of whatever status; ``None`` where no such reader is available for the media type, where it left
            the page out, and in a document that was opened without an inventory.

        Raises:
            IndxError: The reader's whole attempt failed.
        """
        read = self._native_read
        return None if read is None else self.once(f"document.native.{number}", lambda: read(self, number))

    def close(self) -> None:
        """Close everything that was opened, last first. Safe to call twice."""
        while self._closers:
            self._closers.pop()()
        self._opened.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
