"""What a corpus holds: its root listed completely, every object under its source key, recorded in the lake.

A listing is the only way from a partition key back to an address when a key was cut or a file name was not NFC, and the
only thing that may ever say that a document is gone. It is complete or it is an error; nothing is written then.
"""

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts import tables as t
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.contracts.source import SourceEntry
from indx_core.kit.config import LoadedConfig
from indx_core.kit.config.load import resolve_root
from indx_core.kit.intake import list_root
from indx_core.kit.keys import shard_name, shard_of, source_key, told_apart
from indx_core.kit.lake import Lake, encode_table
from indx_core.kit.registry import Registry

if TYPE_CHECKING:
    import pyarrow as pa


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
        within: The file or folder below the root that was named by hand. The listing is of the whole corpus all the
            same, since only a complete listing may say what is gone; this narrows what is worked on.
    """

    name: str
    root: str
    include: tuple[str, ...] = ("**",)
    exclude: tuple[str, ...] = ()
    within: str = ""

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
    return Corpus(name, root, config.include, config.exclude)


def corpus_of_path(path: str, loaded: LoadedConfig) -> Corpus:
    """The corpus a path or URI given by hand belongs to.

    A path inside a configured root is that corpus narrowed to it; a file elsewhere is its folder narrowed to the file.
    after the folder and ended with six hex digits of the root, so that two folders of one name never share documents.
    """
    root = path if "://" in path else str(Path(path).resolve())
    for name, config in loaded.config.corpora.items():
        configured = resolve_root(config, loaded.folder)
        if root == configured:
            return Corpus(name, configured, config.include, config.exclude)
        if root.startswith(configured.rstrip("/") + "/"):
            below = root[len(configured.rstrip("/")) + 1 :]
            return Corpus(name, configured, config.include, config.exclude, within=below)
    base = root if "://" in root or not Path(root).is_file() else str(Path(root).parent)
    slug = re.sub(r"[^a-z0-9_-]+", "-", base.rstrip("/").rpartition("/")[2].lower()).strip("-") or "corpus"
    name = f"{slug[:40]}-{hashlib.sha256(base.encode()).hexdigest()[:6]}"
    return Corpus(name, base, within=root[len(base) + 1 :] if base != root else "")


def list_corpus(corpus: Corpus, registry: Registry) -> list[ListedSource]:
    """Every object of the corpus, sorted by key.

    Raises:
        SourceForbidden: A loader's guard refuses the root.
        SourceUnreadable: The root is not there, or the listing broke off.
    """
    return listed_sources(corpus, list_root(corpus.root, registry))


def listed_sources(corpus: Corpus, entries: Iterable[SourceEntry]) -> list[ListedSource]:
    """The documents of a corpus among all objects below its root, sorted by key.

    Raises:
        SourceUnreadable: Two objects claim one key.
    """
    wanted = [entry for entry in entries if _wanted(entry.path, corpus)]
    return sorted(_keyed(corpus, wanted), key=lambda source: source.key)


def record_listing(lake: Lake, corpus: str, sources: Sequence[ListedSource], config: IndxConfig) -> None:
    """Write a complete listing: one object per corpus at source grain, one per bucket at shard grain.

    Buckets that the listing leaves empty lose their object.
    """
    for partition, members in _partitioned(corpus, sources, config).items():
        lake.write(t.LISTING.name, partition, encode_table(listing_table(members)) if members else None)


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
    return any(_glob(p).fullmatch(path) for p in corpus.include) and not any(
        _glob(p).fullmatch(path) for p in corpus.exclude
    )


@cache
def _glob(pattern: str) -> re.Pattern[str]:
    """``**`` stands for any path, ``*`` and ``?`` stay inside a segment."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    meaning = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part) or re.escape(part) for part in parts))
