"""The inventory of an installation as the snapshot that plans are bound to.

Belongs here: asking every component for its descriptor, merging embedding spaces, and the content hash. What an
installation can reach and accepts (``resolvable``, ``limits``) is passed in, since it depends on settings of others.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from indx_core.contracts.base import content_id
from indx_core.contracts.capability import (
    CapabilityDescriptor,
    CapabilitySnapshot,
    EmbedderDescriptor,
    EmbeddingSpace,
    Limits,
    ProviderFailure,
    Resolvable,
)
from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.registry import Registry
from indx_core.planning.policy import POLICY_VERSION
from indx_core.ports.embedder import Embedder

T = TypeVar("T")


def take(registry: Registry, *, limits: Limits = Limits(), resolvable: Resolvable = Resolvable()) -> CapabilitySnapshot:  # noqa: B008 - frozen models
    """The snapshot of an inventory, taken now: descriptors follow the settings, and no model is loaded.

    ``snapshot_id`` hashes the policy version, the capabilities and the embedding spaces, each sorted by id. Everything
    else can grow (an annotator, a scheme, a limit) without moving a route, so it does not invalidate a plan in flight.

    Args:
        registry: What is installed.
        limits: What the deployment accepts.
        resolvable: What it can fetch and look at.

    Returns:
        The snapshot; a component whose descriptor cannot be read is left out and named in ``failures``.
    """
    failures = list(registry.failures)
    capabilities = _described(registry.readers, lambda reader: reader.descriptor, failures)
    capabilities.sort(key=lambda each: each.id)
    spaces = _merged(registry.embedders, failures)
    return CapabilitySnapshot(
        snapshot_id=_snapshot_id(capabilities, spaces),
        policy_version=POLICY_VERSION,
        capabilities=tuple(capabilities),
        embedding_spaces=tuple(spaces),
        classifiers=tuple(_described(registry.classifiers, lambda each: each.descriptor, failures)),
        extractors=tuple(_described(registry.extractors, lambda each: each.descriptor, failures)),
        enrichers=tuple(_described(registry.enrichers, lambda each: each.descriptor, failures)),
        chunkers=tuple(each.id for each in registry.chunkers),
        language_detectors=tuple(each.id for each in registry.language_detectors),
        languages=_languages(registry, failures),
        signatures=tuple(each.name for each in registry.signatures),
        limits=limits,
        resolvable=resolvable,
        failures=tuple(failures),
    )


def left_out(snapshot: CapabilitySnapshot) -> str:
    """What a refusal of an id that nobody declares adds: the bad variables over which components are missing here."""
    prefix = f"{SettingsInvalid.__name__}: "
    over = [each.reason.removeprefix(prefix) for each in snapshot.failures if each.reason.startswith(prefix)]
    return f"; left out here over a bad setting: {'; '.join(dict.fromkeys(over))}" if over else ""


def _languages(registry: Registry, failures: list[ProviderFailure]) -> tuple[str, ...]:
    answers = _described(registry.language_detectors, lambda detector: detector.languages, failures)
    return tuple(sorted({language for languages in answers for language in languages}))


def _snapshot_id(capabilities: Iterable[CapabilityDescriptor], spaces: Iterable[EmbeddingSpace]) -> str:
    return content_id(
        {
            "policy_version": POLICY_VERSION,
            "capabilities": [each.model_dump(mode="json") for each in capabilities],
            "embedding_spaces": [each.model_dump(mode="json") for each in spaces],
        }
    )


def _described(components: Iterable[Any], describe: Callable[[Any], T], failures: list[ProviderFailure]) -> list[T]:
    found: list[T] = []
    for component in components:
        try:
            found.append(describe(component))
        except Exception as error:  # noqa: BLE001 - a broken provider is left out and reported, never fatal
            failures.append(_failure(component, f"{type(error).__name__}: {error}"))
    return found


def _merged(embedders: Iterable[Embedder], failures: list[ProviderFailure]) -> list[EmbeddingSpace]:
    """Spaces by id, each with its embedders in registry order, which is the order they are preferred in."""
    spaces: dict[str, EmbeddingSpace] = {}
    for descriptor, space in _described(embedders, lambda each: (each.descriptor, each.space), failures):
        known = spaces.get(space.id)
        problem = _mismatch(descriptor, space, known)
        if problem is not None:
            failures.append(ProviderFailure(distribution=descriptor.distribution, reason=problem))
        else:
            before = known.embedders if known else ()
            spaces[space.id] = space.model_copy(update={"embedders": (*before, descriptor)})
    return [spaces[space_id] for space_id in sorted(spaces)]


def _mismatch(descriptor: EmbedderDescriptor, space: EmbeddingSpace, known: EmbeddingSpace | None) -> str | None:
    """Why this embedder's vectors cannot stand beside those already in the space; ``None`` when they can."""
    name = f"embedder {descriptor.embedder_id}"
    if descriptor.embedding_space_id != space.id:
        return f"{name} declares space {descriptor.embedding_space_id} and describes space {space.id}"
    if known is None:
        return None
    for field in ("dimension", "metric", "normalization"):
        mine, theirs = getattr(space, field), getattr(known, field)
        if mine != theirs:
            return (
                f"{name} declares {field} {mine} for space {space.id}, which {known.embedders[0].embedder_id} "
                f"declared with {theirs}"
            )
    return None


def _failure(component: Any, reason: str) -> ProviderFailure:
    distribution = getattr(component, "distribution", None) or type(component).__module__
    return ProviderFailure(distribution=distribution, reason=reason)
