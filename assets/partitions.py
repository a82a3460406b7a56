"""What one partition is: a document (dynamic, to some ten thousand) or a bucket of documents (static, to millions).

Keys are made in ``indx_core/kit/keys.py``. Both grains run through the same asset code, which always gets the list of
sources behind its partitions. Pages are never partitions.
"""

from collections.abc import Iterable, Sequence

import dagster as dg
from sqlalchemy.exc import IntegrityError

from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.kit.keys import shard_name

SOURCES = "sources"
"""Name of the dynamic partitions set at source grain."""
CHUNK = 500
"""Keys registered per statement: stock SQLite takes 32,766 variables, and one `IN (…)` names every key."""

_ATTEMPTS = 5
"""At adding keys that another process adds too: it looks which there are, and then inserts, and on SQLite fails where
one came in between (two of three processes that added the same 20 keys at the same moment)."""


def partitions_def(config: IndxConfig) -> dg.PartitionsDefinition[str]:
    """The partitions of every asset under this configuration."""
    if config.grain is Grain.SOURCE:
        return dg.DynamicPartitionsDefinition(name=SOURCES)
    return dg.StaticPartitionsDefinition([shard_name(index) for index in range(config.shards)])


def register(instance: dg.DagsterInstance, keys: Iterable[str]) -> list[str]:
    """Add the keys that are new to the dynamic set, in order; returns them.

    Keys of one call stay contiguous, so that a range of the UI can cover them.
    """
    known = set(instance.get_dynamic_partitions(SOURCES))
    new = [key for key in dict.fromkeys(keys) if key not in known]
    for start in range(0, len(new), CHUNK):
        _add(instance, new[start : start + CHUNK])
    return new


def _add(instance: dg.DagsterInstance, keys: Sequence[str]) -> None:
    for left in reversed(range(_ATTEMPTS)):
        try:
            instance.add_dynamic_partitions(SOURCES, keys)
        except IntegrityError:
            if not left:
                raise
        else:
            return


def partition_keys(context: dg.AssetExecutionContext) -> Sequence[str]:
    """Partition keys of the run's tags, sorted; none for a run whose sources come from its config.

    Sorted, because the framework hands over sets in set order and a replay must not depend on it.
    """
    if context.has_partition_key_range or context.has_partition_key:
        return sorted(context.partition_keys)
    return ()
