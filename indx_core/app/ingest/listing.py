"""What a corpus holds: its root listed completely, every object under its source key, recorded in the lake.

A listing is the only way from a partition key back to an address when a key was cut or a file name was not NFC, and the
only thing that may ever say that a document is gone. It is complete or it is an error; nothing is written then.
"""

import hashlib
import logging
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts import tables as t
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import SYSTEM_FILES, Grain, IndxConfig
from indx_core.contracts.source import SourceEntry
from indx_core.kit.config import LoadedConfig
from indx_core.kit.intake import list_root, locate
from indx_core.kit.keys import shard_name, shard_of, source_key, told_apart
from indx_core.kit.lake import Lake, encode_table
from indx_core.kit.registry import Registry

if TYPE_CHECKING:
    import pyarrow as pa


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


_COLUMNS = [field.name for field in fields(ListedSource)]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named root to list: one of ``indx.toml``, or one that a path on the command line stands for.

    Attributes:
        include: Glob patterns of paths below the root; a path must match one.
        exclude: Glob patterns of paths to leave out.
        within: The file or folder below the root that was named by hand. Of a folder, the listing is of the whole
            corpus all the same, since only a complete listing may say what is gone; this narrows what is worked on.
        address: Where ``within`` is one object: its own. It alone is listed, and that says nothing of any other.
        ignore: Glob patterns of paths that are no documents, letter case aside.
    """

    name: str
    root: str
    include: tuple[str, ...] = ("**",)
    exclude: tuple[str, ...] = ()
    within: str = ""
    address: str = ""
    ignore: tuple[str, ...] = SYSTEM_FILES

    @property
    def single(self) -> bool:
        """Whether one object was named by hand: its listing must never look like the deletion of the others."""
        return bool(self.address)

    def covers(self, path: str) -> bool:
        """Whether a path of the corpus is what was named."""
        return not self.within or path == self.within or path.startswith(f"{self.within}/")


def named_corpus(name: str, loaded: LoadedConfig) -> Corpus:
    """A corpus of ``indx.toml``.

    Raises:
        ConfigInvalid: There is none of that name.
    """
    root = loaded.root(name)
    config = loaded.config.corpora[name]
    return Corpus(name, root, config.include, config.exclude, ignore=loaded.config.ignore)


def corpus_of_path(path: str, loaded: LoadedConfig, registry: Registry) -> Corpus:
    """The corpus a path or URI given by hand belongs to.

    A path inside a configured root is that corpus narrowed to it; a file elsewhere is its folder narrowed to the file,
    so that a document has one key, named by itself or with its folder. A corpus that no configuration names is called
    after the folder and ended with six hex digits of the root, so that two folders of one name never share documents.

    Raises:
        SourceForbidden: A loader's guard refuses the path.
        SourceUnreadable: Nothing is there, or its store does not say whether it is a file or a folder.
    """
    if "://" not in path and not Path(path).exists():
        known = ", ".join(loaded.config.corpora) or "none"
        raise SourceUnreadable(
            f"{path} is no file or folder here, and no corpus of indx.toml",
            remedy=f"name one that exists; the corpora of indx.toml: {known}",
        )
    where = path if "://" in path else _local(path)
    for name in loaded.config.corpora:
        corpus = named_corpus(name, loaded)
        if where == corpus.root:
            return corpus
        if where.startswith(corpus.root.rstrip("/") + "/"):
            return _narrowed(corpus, where, registry)
    folder, _, last = where.rpartition("/")
    if last and not folder.endswith(":/"):
        corpus = _narrowed(_unnamed(folder or "/", loaded), where, registry)
        if corpus.single:
            return corpus
    return _unnamed(where, loaded)


def _local(path: str) -> str:
    """The absolute path with links to folders followed. A link to a file is itself a document of its folder."""
    given = Path(path)
    return str(given.resolve() if given.is_dir() else given.parent.resolve() / given.name)


def _narrowed(corpus: Corpus, where: str, registry: Registry) -> Corpus:
    found = locate(where, corpus.root, registry)
    below = unicodedata.normalize("NFC", where[len(corpus.root.rstrip("/")) + 1 :])
    return replace(corpus, within=found.path if found else below, address=where if found else "")


def _unnamed(root: str, loaded: LoadedConfig) -> Corpus:
    slug = re.sub(r"[^a-z0-9_-]+", "-", root.rstrip("/").rpartition("/")[2].lower()).strip("-") or "corpus"
    name = f"{slug[:40]}-{hashlib.sha256(root.encode()).hexdigest()[:6]}"
    return Corpus(name, root, ignore=loaded.config.ignore)


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
    system = _globs(corpus.ignore, re.IGNORECASE)
    wanted: list[SourceEntry] = []
    ignored: list[SourceEntry] = []
    for entry in entries:
        if _wanted(entry.path, corpus):
            (ignored if system.fullmatch(entry.path) else wanted).append(entry)
        elif corpus.single:
            _log.warning("left out of %s by its include and exclude: %s", corpus.name, entry.path)
    if ignored:
        named = ", ".join(entry.path for entry in ignored[:NAMED])
        more = f" and {len(ignored) - NAMED:,} more" if len(ignored) > NAMED else ""
        count = "a system file" if len(ignored) == 1 else f"{len(ignored):,} system files"
        _log.warning("left out of %s, %s: %s%s (`ignore` in indx.toml)", corpus.name, count, named, more)
    return sorted(_keyed(corpus, wanted), key=lambda source: source.key)


def record_listing(lake: Lake, corpus: str, sources: Sequence[ListedSource], config: IndxConfig) -> None:
    """Write a complete listing: one object per corpus at source grain, one per bucket at shard grain.

    Buckets that the listing leaves empty lose their object.
    """
    for partition, members in _partitioned(corpus, sources, config).items():
        lake.write(t.LISTING.name, partition, encode_table(listing_table(members)) if members else None)


def record_single(lake: Lake, source: ListedSource, config: IndxConfig) -> ListedSource:
    """Put one document into its corpus's recorded listing, whose other rows stand; returns it under its listed key."""
    partition = source.corpus
    if config.grain is Grain.SHARD:
        partition = f"{source.corpus}/{shard_name(shard_of(source.key, config.shards))}"
    others = {row.key: row for row in recorded_listing(lake, [partition])}
    same = next((row for row in others.values() if row.uri == source.uri), None)
    if same is not None:
        source = replace(source, key=same.key)
    elif source.key in others:
        source = replace(source, key=told_apart(source.key, source.uri))
    rows = sorted({**others, source.key: source}.values(), key=lambda row: row.key)
    lake.write(t.LISTING.name, partition, encode_table(listing_table(rows)))
    return source


def recorded_listing(lake: Lake, partitions: Iterable[str], keys: Collection[str] | None = None) -> list[ListedSource]:
    """Sources as last listed.

    Args:
        lake: Where listings are kept.
        partitions: Listing partitions: ``<corpus>`` at source grain, ``<corpus>/<shard>`` at shard grain.
        keys: Only these source keys; ``None`` for all.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found: list[ListedSource] = []
    for partition in partitions:
        table = lake.read(t.LISTING.name, partition)
        if table is None:
            continue
        if keys is not None:
            table = table.filter(pc.is_in(table.column("key"), value_set=pa.array(list(keys), pa.string())))
        found += sources_in(table)
    return found


def sources_in(table: "pa.Table") -> list[ListedSource]:
    """Rows of ``listing`` as sources."""
    columns = [table.column(name).to_pylist() for name in _COLUMNS]
    return [ListedSource(*row) for row in zip(*columns, strict=True)]


def recorded_corpora(lake: Lake) -> list[str]:
    """Names of the corpora that were ever listed."""
    return sorted({partition.partition("/")[0] for partition in lake.partitions(t.LISTING.name)})


def partition_name(key: str, config: IndxConfig) -> str:
    """The Dagster partition, and lake partition, that holds a source key."""
    return key if config.grain is Grain.SOURCE else shard_name(shard_of(key, config.shards))


def _partitioned(corpus: str, sources: Sequence[ListedSource], config: IndxConfig) -> dict[str, list[ListedSource]]:
    if config.grain is Grain.SOURCE:
        return {corpus: list(sources)}
    found: dict[str, list[ListedSource]] = {f"{corpus}/{shard_name(i)}": [] for i in range(config.shards)}
    for source in sources:
        found[f"{corpus}/{shard_name(shard_of(source.key, config.shards))}"].append(source)
    return found


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


def listing_table(sources: Sequence[ListedSource]) -> "pa.Table":
    """A row per source, made column by column: a million rows as dictionaries take three times as long."""
    import pyarrow as pa

    values = {name: [getattr(source, name) for source in sources] for name in _COLUMNS}
    return pa.Table.from_pydict(values, schema=t.LISTING.schema)


def _wanted(path: str, corpus: Corpus) -> bool:
    return bool(_globs(corpus.include).fullmatch(path) and not _globs(corpus.exclude).fullmatch(path))


@cache
def _globs(patterns: tuple[str, ...], flags: int = 0) -> re.Pattern[str]:
    """One expression for paths that match any of the patterns; no pattern, no path."""
    return re.compile("|".join(map(_glob, patterns)) or r"[^\s\S]", flags)


def _glob(pattern: str) -> str:
    """``**`` stands for any path, ``*`` and ``?`` stay inside a segment."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    meaning = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return "".join(meaning.get(part) or re.escape(part) for part in parts)
