"""Which URIs this installation resolves, and by which loader.

Decides from the scheme alone, before any loader is asked. Does not fetch.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from indx_core.contracts.capability import Resolvable
from indx_core.contracts.errors import UnsupportedSource
from indx_core.contracts.source import SourceEntry
from indx_core.kit.intake.guard import typed_errors
from indx_core.kit.intake.settings import IntakeSettings
from indx_core.kit.registry import Registry
from indx_core.ports.loader import Lister, Loader, Locator, ResumableLister

URI_PARAM = "source.uri.uri"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def enabled_schemes(registry: Registry) -> tuple[str, ...]:
    """Sorted schemes that an installed loader declares and ``INDX_URI_SCHEMES`` admits."""
    admitted = IntakeSettings.load().uri_schemes
    installed = {scheme for loader in registry.loaders for scheme in loader.schemes}
    return tuple(sorted(installed if admitted is None else installed.intersection(admitted)))


def resolvable(registry: Registry) -> Resolvable:
    """What this installation can reach and look at, as the capability snapshot advertises it."""
    observable = {media_type for observer in registry.observers for media_type in observer.media_types}
    return Resolvable(schemes=enabled_schemes(registry), observable_media_types=tuple(sorted(observable)))


def loader_for(uri: str, registry: Registry) -> Loader:
    """The loader of a URI's scheme.

    Raises:
        UnsupportedSource: No installed loader declares the scheme, or ``INDX_URI_SCHEMES`` does not admit it; the
            message lists what does resolve.
    """
    match = _SCHEME.match(uri)
    enabled = enabled_schemes(registry)
    resolves = f"this installation resolves {', '.join(enabled) or 'no scheme'}"
    if match is None:
        raise UnsupportedSource(f"the source URI names no scheme; {resolves}", param=URI_PARAM)
    scheme = match[1].lower()
    loader = next((loader for loader in registry.loaders if scheme in loader.schemes), None)
    if loader is None:
        raise UnsupportedSource(f"no installed loader resolves {scheme}:; {resolves}", param=URI_PARAM)
    if scheme not in enabled:
        raise UnsupportedSource(
            f"the scheme {scheme!r} is installed but not enabled in INDX_URI_SCHEMES; {resolves}", param=URI_PARAM
        )
    return loader


def list_root(root: str, registry: Registry) -> Iterator[SourceEntry]:
    """Every object below a root, sorted by path: a directory's plain path, or a URI whose loader can list.

    Raises:
        UnsupportedSource: The scheme does not resolve, or its loader serves single objects only.
        SourceForbidden: A guard refuses the root.
        SourceUnreadable: The listing broke off; what came before is not the whole.
    """
    uri = _uri(root)
    loader = loader_for(uri, registry)
    if not isinstance(loader, Lister):
        raise UnsupportedSource(f"{loader.distribution} serves single objects and cannot list a root")
    return _guarded(loader.list(uri))


def list_root_after(root: str, registry: Registry, after: str) -> Iterator[SourceEntry] | None:
    """Objects below a root from a path on, as they arrive; ``None`` where the loader can only list the whole.

    Raises:
        UnsupportedSource: As ``list_root``.
        SourceForbidden: As ``list_root``.
        SourceUnreadable: The listing broke off; what came before is not the whole.
    """
    uri = _uri(root)
    loader = loader_for(uri, registry)
    return _guarded(loader.list_after(uri, after)) if isinstance(loader, ResumableLister) else None


def locate(where: str, root: str, registry: Registry) -> SourceEntry | None:
    """One object as the listing of ``root`` has it, without that listing; both are plain paths or URIs.

    Returns:
        ``None`` where it is a folder or nothing, and where its loader can only list.

    Raises:
        UnsupportedSource: The scheme does not resolve.
        SourceForbidden: A guard refuses the address.
        SourceUnreadable: It cannot be asked for.
    """
    loader = loader_for(_uri(where), registry)
    if not isinstance(loader, Locator):
        return None
    with typed_errors("the object cannot be found", param=None):
        return loader.locate(_uri(where), _uri(root))


def _uri(where: str) -> str:
    return where if _SCHEME.match(where) else Path(where).absolute().as_uri()


def _guarded(entries: Iterator[SourceEntry]) -> Iterator[SourceEntry]:
    with typed_errors("the listing broke off", param=None):
        yield from entries
