"""Concurrency pools of a run: a slot of every engine and vendor that it may ask, held while it works.

Dagster gives a pool to an op, and all stages are one op: an op's own pool could only say how many runs there are. So
the step itself claims a slot of ``engine/<id>`` and of ``vendor/<name>`` for what its documents may need, in one order
for all runs, through the context with which Dagster's executors claim theirs. A pool without a limit costs nothing;
limits are set in the UI (Deployment, Concurrency), by ``dagster instance concurrency set`` or in ``dagster.yaml``.
"""

import random
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

import dagster as dg
from sqlalchemy.exc import DBAPIError

from indx_core.app.ingest.estimate import Engine, engine_id, hosted, vendor
from indx_core.app.installation import Installation
from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, Device
from indx_core.contracts.ingest import IngestOptions, Stage

try:
    from dagster._core.execution.plan.instance_concurrency_context import InstanceConcurrencyContext
except ImportError:  # pragma: no cover - another release of Dagster
    InstanceConcurrencyContext = None  # type: ignore[assignment,misc]

RUNS = "documents"
"""The op's own pool: runs at work at one time, whatever engines they ask."""
_HEAVY = {CapabilityKind.OCR, CapabilityKind.VLM}
_ATTEMPTS = 8
"""At giving a pool its default limit beside runs that do the same, and take away the one of before as well."""
_APART_SECONDS = 0.1
_LOOK_SECONDS = 0.5
"""Between two looks at a full pool. Dagster itself asks the database once a second at first, and less often later."""


def pools_of(
    options: Collection[IngestOptions],
    stages: Collection[Stage],
    installation: Installation,
    engines: Collection[str] | None = None,
) -> list[str]:
    """Names of the pools that a run takes a slot of, sorted.

    Args:
        options: Of the corpora whose documents it is about.
        stages: What it runs.
        installation: What is installed.
        engines: Ids that the documents' plans name, where somebody read them; ``None``: whatever the options allow.
    """
    asked: list[Engine] = []
    for one in options:
        if Stage.PAGE_READS in stages:
            asked += [each for each in _readers(one, installation) if engines is None or each.id in engines]
        asked += hosted(stages, one, installation)
    found = {f"engine/{engine_id(each)}" for each in asked}
    return sorted(found | {f"vendor/{name}" for each in asked if (name := vendor(each))})


@contextmanager
def slots(context: dg.AssetExecutionContext, pools: Collection[str]) -> Iterator[None]:
    """Wait for a slot of each pool, and hold them for the duration of a block.

    A run that is killed keeps its slots until Dagster frees those of ended runs (``concurrency.pools`` in the docs).
    """
    if InstanceConcurrencyContext is None or not pools:
        yield
        return
    give_default_limits(context.instance, pools)
    with InstanceConcurrencyContext(context.instance, context.run) as claims:
        taken = []
        try:
            for pool in pools:
                step = f"{context.op_execution_context.op.name}:{pool}"
                taken.append(step)
                _claim(context, claims, pool, step)
            yield
        finally:
            for step in taken:
                claims.free_step(step)


def give_default_limits(instance: dg.DagsterInstance, pools: Collection[str]) -> None:
    """Give pools without a limit of their own the default one, where the instance has one.

    A claim would do so too, but fails on Postgres (dagster 1.13.27) where the pool's row exists: an insert that
    violates its key aborts the transaction in which Dagster then updates. So the second of two runs that begin at once
    failed, and every run after the default was changed.
    """
    storage, default = instance.event_log_storage, instance.global_op_concurrency_default_limit
    if default is None or not storage.supports_global_concurrency_limits:
        return
    for attempt in range(_ATTEMPTS):
        limits = {limit.name: limit for limit in storage.get_pool_limits() if limit.name in pools}
        off = set(pools) - {name for name, each in limits.items() if not each.from_default or each.limit == default}
        if not off:
            return
        time.sleep(attempt * random.random() * _APART_SECONDS)  # noqa: S311 - apart from the others, not secret
        for pool in sorted(off):
            # Another run may give it at this moment: the next look shows whether it did, and a claim what is wrong.
            with suppress(DBAPIError):
                if pool in limits:
                    storage.delete_concurrency_limit(pool)  # slots that are held stay held until they are freed
                storage.initialize_concurrency_limit_to_default(pool)


def _claim(context: dg.AssetExecutionContext, claims: "InstanceConcurrencyContext", pool: str, step: str) -> None:
    waited = False
    while not claims.claim(pool, step):
        if not waited:
            context.log.info("waiting for a slot of the pool %s", pool)
        waited = True
        time.sleep(_LOOK_SECONDS)


def _readers(options: IngestOptions, installation: Installation) -> Iterator[CapabilityDescriptor]:
    """Readers worth a pool that the constraints allow: recognition, vision models, and whatever is elsewhere."""
    limits = options.constraints
    for each in installation.snapshot.capabilities:
        heavy = each.kind in _HEAVY or each.device is Device.EXTERNAL
        named = limits.capability_ids is None or each.id in limits.capability_ids
        if heavy and each.available and named and not (limits.data_residency and each.device is Device.EXTERNAL):
            yield each
