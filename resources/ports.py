"""Which settings belong to which port: those of the folders that contribute to it.

A format or an engine added as a folder shows up in its port's resource by itself; nothing here names one.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache

from indx_core.kit.registry import FOLDERS, Contribution
from indx_core.kit.settings import IndxSettings, all_settings

PORTS = (
    "loaders",
    "readers",
    "embedders",
    "classifiers",
    "extractors",
    "enrichers",
    "language_detectors",
    "signatures",
)
"""In the order a folder is claimed: a format's observer, reader and chunker share one settings file, its readers'."""


@cache
def settings_of(port: str) -> tuple[type[IndxSettings], ...]:
    """Settings classes of the folders whose first contribution, in the order of ``PORTS``, is to this port."""
    packages = {package for package, claimed in _folders() if claimed == port}
    return tuple(each for each in all_settings() if each.__module__.rpartition(".")[0] in packages)


def _folders() -> Iterator[tuple[str, str | None]]:
    for group in FOLDERS:
        package = importlib.import_module(f"indx_core.{group}")
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            contribution = getattr(importlib.import_module(info.name), "CONTRIBUTION", Contribution())
            yield info.name, next((port for port in PORTS if getattr(contribution, port)), None)
