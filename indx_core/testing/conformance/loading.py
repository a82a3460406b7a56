"""Suites of the loader and of its optional listing."""

import re
from collections.abc import Callable

from indx_core.contracts.errors import InputTooLarge, SourceForbidden, SourceUnreadable
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.ports.loader import Lister, Loader, Locator
from indx_core.testing.conformance.expect import expect, expect_name, expect_port, expect_twice, expect_typed

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")


def check_loader(loader: Loader, uri: str, data: bytes, missing: str) -> None:
    """A loader returns the bytes, bounds them, and fails in a typed way.

    Args:
        loader: The implementation.
        uri: An address it resolves.
        data: The bytes that are there; at least one.
        missing: An address of its scheme where nothing is.
    """
    expect_port(loader, Loader)
    expect_name(loader.distribution, "distribution")
    for scheme in loader.schemes:
        expect(_SCHEME.fullmatch(scheme), f"a scheme is lower-case, without the colon: {scheme!r}")
    loaded = expect_twice(lambda: loader.load(uri, None), "load")
    expect(isinstance(loaded, LoadedSource) and loaded.data == data, "load returns the bytes as they are")
    expect(loaded.uri == uri, "a loaded source says the URI it came from")
    expect(loaded.loader == loader.distribution, "a loaded source names the distribution that fetched it")
    expect(loaded.filename is None or "/" not in loaded.filename, "filename is the last segment alone")
    expect(loader.load(uri, len(data)).data == data, "max_bytes itself is not too large")
    expect_typed(lambda: loader.load(uri, len(data) - 1), InputTooLarge)
    expect_typed(lambda: loader.load(missing, None), SourceUnreadable, SourceForbidden)


def check_lister(loader: Loader, root: str, paths: list[str], missing: str) -> None:
    """A listing is whole, sorted and loadable, or it raises.

    Args:
        loader: The implementation, which is also a ``Lister``.
        root: An address whose objects are known.
        paths: Their paths below it, in any order.
        missing: A root where nothing is.
    """
    assert isinstance(loader, Lister), "a loader that lists has a method list(root)"
    entries = expect_twice(lambda: list(loader.list(root)), "list")
    listed = [entry.path for entry in entries]
    expect(listed == sorted(paths), f"every object once, sorted by path: {sorted(paths)} expected, {listed} listed")
    for entry in entries:
        _check_entry(loader, entry)
        if isinstance(loader, Locator):
            expect(loader.locate(entry.uri, root) == entry, f"{entry.path} is one entry, listed or located")
    expect_typed(_draining(loader.list, missing), SourceUnreadable, SourceForbidden)


def _check_entry(loader: Loader, entry: SourceEntry) -> None:
    loaded = loader.load(entry.uri, None)
    expect(not entry.path.startswith("/"), f"a path is below the root, without a leading slash: {entry.path!r}")
    expect(entry.version, f"{entry.path} has a version by which a change is seen")
    expect(entry.size == len(loaded.data), f"{entry.path} has the size of its bytes")
    expect(loaded.version in {None, entry.version}, f"{entry.path} has one version, listed or loaded")


def _draining(method: Callable[[str], object], root: str) -> Callable[[], object]:
    return lambda: list(method(root))  # type: ignore[call-overload]
