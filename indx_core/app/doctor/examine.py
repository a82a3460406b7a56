"""The whole examination, area by area. Each area answers by itself, so that one problem never hides another."""

import importlib.metadata
import platform
from collections.abc import Iterator

from indx_core.app.doctor.engines import engine_checks, plugin_checks
from indx_core.app.doctor.extras import DISTRIBUTION, extra_checks
from indx_core.app.doctor.places import corpus_checks, font_checks, lake_checks
from indx_core.app.doctor.report import Check, Report, Status
from indx_core.app.doctor.variables import setting_checks, variables
from indx_core.contracts.errors import IndxError
from indx_core.kit.registry import discover

ENTRY_POINT_GROUP = "indx.checks"


def examine() -> Report:
    """Look at everything. Loads no model, writes nothing, opens no connection."""
    checks = tuple(_checks())
    return Report(
        version=importlib.metadata.version(DISTRIBUTION),
        python=platform.python_version(),
        healthy=all(check.status is not Status.PROBLEM for check in checks),
        checks=checks,
        settings=tuple(variables()),
    )


def _checks() -> Iterator[Check]:
    yield from extra_checks()
    try:
        registry = discover()
    except IndxError as error:
        yield Check.refused("plugins", "inventory", error)
    else:
        yield from plugin_checks(registry)
        yield from engine_checks(registry)
    yield from setting_checks()
    yield from corpus_checks()
    yield from lake_checks()
    yield from font_checks()
    yield from _contributed()


def _contributed() -> Iterator[Check]:
    for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP):
        try:
            yield from point.load()()
        except ImportError as error:
            # A wheel ships the core alone: what looks after Dagster needs a checkout.
            yield Check(
                area=point.name,
                name=point.value,
                status=Status.ABSENT,
                detail=f"not available here: {error}",
                remedy="install from a checkout with the 'dagster' extra",
            )
