"""The packaged dictionary: MeCab through fugashi, and the IPADIC of the package ``ipadic``, opened in 20 ms."""

import importlib.metadata
import importlib.util
from functools import lru_cache
from typing import Any

PACKAGES = ("fugashi", "ipadic")


def missing() -> tuple[str, ...]:
    """Packages of the ``ja`` extra that are not installed."""
    return tuple(name for name in PACKAGES if importlib.util.find_spec(name) is None)


def name() -> str | None:
    """The dictionary and its release; ``None`` where it is not installed."""
    return None if missing() else f"ipadic@{importlib.metadata.version('ipadic')}"


def tokenize(piece: str) -> list[tuple[str, int, str]]:
    """See ``tokens.Tokenize``."""
    found, end = [], 0
    for node in _tagger()(piece):
        start = end + len(node.white_space)
        end = start + len(node.surface)
        found.append((node.surface, start, node.feature_raw))
    return found


@lru_cache(maxsize=1)
def _tagger() -> Any:
    import fugashi
    import ipadic

    return fugashi.GenericTagger(ipadic.MECAB_ARGS)
