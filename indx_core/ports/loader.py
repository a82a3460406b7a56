"""Loader: bytes from a URI of the schemes it declares. Opens the network or the disk; nothing else does."""

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from indx_core.contracts.source import LoadedSource, SourceEntry


@runtime_checkable
class Loader(Protocol):
    """Fetches one object per URI.

    Attributes:
        distribution: Component name, such as ``indx-loader-file``.
        schemes: Lower-case URI schemes it resolves, without the colon.
    """

    distribution: str
    schemes: tuple[str, ...]

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        """Fetch one object.

        Args:
            uri: An address of one of ``schemes``.
            max_bytes: Stop and raise ``InputTooLarge`` as soon as more decoded bytes than this are seen.

        Raises:
            SourceForbidden: A guard refuses the destination.
            SourceUnreadable: It cannot be fetched; its transient subclass when the next attempt may succeed.
            InputTooLarge: It is bigger than ``max_bytes``.
        """
        ...


@runtime_checkable
class Lister(Protocol):
    """A loader that can also enumerate a root. Optional: a loader without it serves single objects only."""

    schemes: tuple[str, ...]

    def list(self, root: str) -> Iterator[SourceEntry]:
        """Every object below ``root``, sorted by path, each once.

        The listing is complete or raises: a partial listing must never look like deletions.

        Raises:
            SourceForbidden: A guard refuses the root.
            SourceUnreadable: The listing broke off.
        """
        ...


@runtime_checkable
class Locator(Protocol):
    """A loader that can name one object as the listing of a root does, without listing. Optional."""

    schemes: tuple[str, ...]

    def locate(self, uri: str, root: str) -> SourceEntry | None:
        """The entry of one object, equal to that of ``Lister.list(root)``.

        Args:
            uri: Address of what may be an object, below ``root``.
            root: A root that can be listed.

        Returns:
            ``None`` where nothing is, or a folder.

        Raises:
            SourceForbidden: A guard refuses the address.
            SourceUnreadable: It cannot be asked for.
        """
        ...


@runtime_checkable
class ResumableLister(Lister, Protocol):
    """A lister that can go on from a path, for roots too large to list within the time a caller has. Optional."""

    def list_after(self, root: str, after: str) -> Iterator[SourceEntry]:
        """Objects below ``root`` whose path stands after ``after``, in the order of their paths, as they arrive.

        Whoever exhausts it, from ``""`` or from any path that it gave before, has the whole rest.

        Raises:
            SourceForbidden: A guard refuses the root.
            SourceUnreadable: The listing broke off.
        """
        ...
