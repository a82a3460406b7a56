"""What a corpus holds: its root listed completely, every object under its source key. ``listings`` keeps it.

A listing is the only thing that may ever say that a document is gone. It is complete or it is an error.
"""

import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indx_core.app.ingest.corpus import Corpus, globs
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.source import SourceEntry
from indx_core.kit.intake import list_root, locate
from indx_core.kit.keys import source_key, told_apart
from indx_core.kit.registry import Registry

_log = logging.getLogger(__name__)
NAMED = 5
"""Files left out of a listing that a warning names; the others are counted."""


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One object of a corpus.

    Attributes:
        key: Its source key.
        root: Root it was listed under.
        path: Path below the root, as listed.
        byte_count: Bytes.
        source_version: ETag, or size and time: changes when the content may have.
        modified: Seconds since 1970, UTC.
    """

    key: str
    corpus: str
    root: str
    path: str
    uri: str
    byte_count: int
    source_version: str
    modified: float


def list_corpus(corpus: Corpus, registry: Registry) -> list[ListedSource]:
    """Every document of the corpus, sorted by key; of a corpus narrowed to one object, that one.

    Raises:
        SourceForbidden: A loader's guard refuses the root.
        SourceUnreadable: The root is not there, or the listing broke off.
    """
    if not corpus.single:
        return listed_sources(corpus, list_root(corpus.root, registry))
    found = locate(corpus.address, corpus.root, registry)
    if found is None:
        raise SourceUnreadable(f"{corpus.within} is gone")
    return listed_sources(corpus, [found])


def listed_sources(corpus: Corpus, entries: Iterable[SourceEntry]) -> list[ListedSource]:
    """The documents of a corpus among all objects below its root, sorted by key.

    Files of systems, which are no documents, are left out with a warning that counts and names them.

    Raises:
        SourceUnreadable: Two objects claim one key.
    """
    system = globs(corpus.ignore, re.IGNORECASE)
    wanted: list[SourceEntry] = []
    ignored: list[SourceEntry] = []
    for entry in entries:
        if corpus.wants(entry.path):
            (ignored if system.fullmatch(entry.path) else wanted).append(entry)
        elif corpus.single:
            _log.warning("left out of %s by its include and exclude: %s", corpus.name, entry.path)
    if ignored:
        named = ", ".join(entry.path for entry in ignored[:NAMED])
        more = f" and {len(ignored) - NAMED:,} more" if len(ignored) > NAMED else ""
        count = "a system file" if len(ignored) == 1 else f"{len(ignored):,} system files"
        _log.warning("left out of %s, %s: %s%s (`ignore` in indx.toml)", corpus.name, count, named, more)
    return sorted(_keyed(corpus, wanted), key=lambda source: source.key)


def _keyed(corpus: Corpus, entries: Sequence[SourceEntry]) -> list[ListedSource]:
    """Keys for entries; the second of two paths that differ only in normalisation or letter form is told apart."""
    taken: dict[str, str] = {}
    found = []
    for entry in entries:
        key = source_key(corpus.name, entry.path, entry.uri)
        if taken.get(key) == entry.uri:
            raise SourceUnreadable("the listing broke off: two keys differ only in slashes at their ends")
        if key in taken:
            key = told_apart(key, entry.uri)
        if taken.setdefault(key, entry.uri) != entry.uri:
            raise SourceUnreadable(f"two objects claim the source key {key}", remedy="rename one of them")
        found.append(
            ListedSource(
                key, corpus.name, corpus.root, entry.path, entry.uri, entry.size, entry.version, entry.modified
            )
        )
    return found
