"""Names of what Dagster keeps one of per corpus: its sensor, its schedule."""

from indx_core.contracts.errors import ConfigInvalid
from indx_core.kit.config import LoadedConfig


def names_of_corpora(loaded: LoadedConfig, kind: str, prefix: str) -> list[tuple[str, str]]:
    """``(corpus, name)`` of every corpus of ``indx.toml``, sorted; Dagster allows letters, digits and underscores.

    Args:
        loaded: ``indx.toml``.
        kind: What is named, for the message.
        prefix: What its names begin with.

    Raises:
        ConfigInvalid: Two corpora whose names differ only in ``-`` and ``__`` would share one.
    """
    names = {corpus: f"{prefix}_{corpus.replace('-', '__')}" for corpus in loaded.config.corpora}
    if len(set(names.values())) < len(names):
        raise ConfigInvalid(f"two corpora have the same {kind}: a name may not differ from another in - and __ alone")
    return sorted(names.items())
