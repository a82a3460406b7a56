"""Which engines can work here. One that cannot is a problem where a setting of its folder is set, else just absent."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from indx_core.app.doctor.report import Check, Status
from indx_core.contracts.errors import IndxError
from indx_core.kit.blot import blotted
from indx_core.kit.registry import Registry
from indx_core.kit.settings import all_settings, environment


class _Engine(NamedTuple):
    """A component and what it says of itself."""

    id: str
    kind: str
    available: bool
    reason: str
    folder: str


def plugin_checks(registry: Registry) -> Iterator[Check]:
    """Distributions that were found and could not be used."""
    for failure in registry.failures:
        detail = blotted(failure.reason)
        remedy = "update or uninstall it; everything else works without it"
        yield Check(area="plugins", name=failure.distribution, status=Status.PROBLEM, detail=detail, remedy=remedy)


def engine_checks(registry: Registry) -> Iterator[Check]:
    """One check an engine. Opens no model: what an engine says of itself is believed."""
    configured = _configured_folders()
    for engine in _engines(registry):
        if engine.available:
            yield Check(area="engines", name=engine.id, status=Status.OK, detail=engine.kind)
        else:
            status = Status.PROBLEM if engine.folder in configured else Status.ABSENT
            remedy = blotted(engine.reason)
            yield Check(area="engines", name=engine.id, status=status, detail=engine.kind, remedy=remedy)


def _engines(registry: Registry) -> Iterator[_Engine]:
    kinds: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("reader", registry.readers),
        ("embedder", registry.embedders),
        ("classifier", registry.classifiers),
        ("extractor", registry.extractors),
        ("enricher", registry.enrichers),
    )
    for kind, components in kinds:
        for component in components:
            folder = type(component).__module__.rpartition(".")[0]
            try:
                said = component.descriptor
            except IndxError as error:
                yield _Engine(type(component).__name__, kind, available=False, reason=error.message, folder=folder)
            else:
                id_ = said.embedder_id if kind == "embedder" else said.id
                yield _Engine(id_, kind, said.available, said.unavailable_reason or "", folder)
    for detector in registry.language_detectors:
        folder = type(detector).__module__.rpartition(".")[0]
        try:
            kind = f"language detector of {len(detector.languages)} languages"
        except IndxError as error:
            yield _Engine(detector.id, "language detector", available=False, reason=error.message, folder=folder)
        else:
            yield _Engine(detector.id, kind, available=True, reason="", folder=folder)


def _configured_folders() -> set[str]:
    """Packages of which some setting is set: somebody means to use what is in them."""
    stated = {name for name, value in environment().items() if value.strip()}
    return {cls.__module__.rpartition(".")[0] for cls in all_settings() if stated & set(cls.variables())}
