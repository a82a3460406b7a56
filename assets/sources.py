"""Which documents a run is about: behind its partition keys, or listed in its config.

A key is looked up in the recorded listing. One that was never listed is decoded against its corpus's root, so that a
partition added by hand works; one that can be neither is an error that says how to list it.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name, recorded_corpora, recorded_listing
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import Grain
from indx_core.kit.config import LoadedConfig
from indx_core.kit.keys import key_path
from indx_core.kit.lake import Lake


def sources_behind(partitions: Sequence[str], lake: Lake, loaded: LoadedConfig) -> list[ListedSource]:
    """Every document of these partitions, sorted by key.

    Raises:
        SourceUnreadable: At source grain, a key that names no known document.
    """
    if loaded.config.grain is Grain.SHARD:
        listings = [f"{corpus}/{shard}" for corpus in recorded_corpora(lake) for shard in partitions]
        return sorted(recorded_listing(lake, listings), key=lambda source: source.key)
    return named_sources(partitions, lake, loaded)


def named_sources(keys: Collection[str], lake: Lake, loaded: LoadedConfig) -> list[ListedSource]:
    """The documents of these source keys, sorted by key.

    Raises:
        SourceUnreadable: A key that names no known document.
    """
    listed = {source.key: source for source in recorded_listing(lake, _listings(keys, loaded), set(keys))}
    return [listed.get(key) or _decoded(key, loaded) for key in sorted(keys)]


def _listings(keys: Collection[str], loaded: LoadedConfig) -> list[str]:
    """Listing partitions that may hold these keys."""
    by_source = loaded.config.grain is Grain.SOURCE
    corpora = {(key.partition("/")[0], key) for key in keys}
    return sorted({c if by_source else f"{c}/{partition_name(key, loaded.config)}" for c, key in corpora})


def _decoded(key: str, loaded: LoadedConfig) -> ListedSource:
    found = key_path(key)
    if found is None or found[0] not in loaded.config.corpora:
        raise SourceUnreadable(
            f"no document is known under the key {key}",
            remedy="list its corpus first: `indx ingest CORPUS`",
        )
    corpus, path = found
    root = loaded.root(corpus)
    uri = f"{root.rstrip('/')}/{path}" if "://" in root else (Path(root) / path).as_uri()
    return ListedSource(key, corpus, root, path, uri, 0, "", 0.0)
