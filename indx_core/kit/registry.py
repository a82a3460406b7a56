"""Discovery: what is installed, in which order it is asked, and what was left out and why.

The folders of ``formats``, ``engines``, ``loaders`` and ``signatures`` are found in sorted order, then third-party
distributions by the entry-point group ``indx.plugins``. Both go through the same door: a ``Contribution``. Importing a
contribution must be cheap and open nothing; a model is loaded on first use, never here. Does not select anything for a
request: that is planning's.
"""

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from typing import Any

from indx_core.contracts.capability import ProviderFailure
from indx_core.contracts.errors import DuplicateComponent
from indx_core.ports.chunker import Chunker
from indx_core.ports.classifier import Classifier
from indx_core.ports.embedder import Embedder
from indx_core.ports.enricher import Enricher
from indx_core.ports.extractor import EntityExtractor
from indx_core.ports.language import LanguageDetector
from indx_core.ports.loader import Loader
from indx_core.ports.observer import Observer
from indx_core.ports.reader import Reader
from indx_core.ports.signature import Signature

ENTRY_POINT_GROUP = "indx.plugins"
FOLDERS = ("formats", "engines", "loaders", "signatures")
LAST_FOLDER = "any"
"""What serves every media type is asked after the folders that know one: its line chunker would take a PDF's pages."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """Everything one folder, or one installed distribution, adds. Each part is asked in the order given here.

    Lists may depend on settings (a hosted embedder exists only when a model is named), so a field may also be a
    function without arguments that returns the list; it is called whenever the inventory is taken.
    """

    loaders: Iterable[Loader] = ()
    observers: Iterable[Observer] = ()
    readers: Iterable[Reader] = ()
    chunkers: Iterable[Chunker] = ()
    embedders: Iterable[Embedder] | Callable[[], Iterable[Embedder]] = ()
    classifiers: Iterable[Classifier] | Callable[[], Iterable[Classifier]] = ()
    extractors: Iterable[EntityExtractor] | Callable[[], Iterable[EntityExtractor]] = ()
    enrichers: Iterable[Enricher] | Callable[[], Iterable[Enricher]] = ()
    language_detectors: Iterable[LanguageDetector] | Callable[[], Iterable[LanguageDetector]] = ()
    signatures: Iterable[Signature] = ()


@dataclass(frozen=True, slots=True)
class Registry:
    """The inventory of one process. Third parties come before the built-in folders, floors last."""

    loaders: tuple[Loader, ...] = ()
    observers: tuple[Observer, ...] = ()
    readers: tuple[Reader, ...] = ()
    chunkers: tuple[Chunker, ...] = ()
    embedders: tuple[Embedder, ...] = ()
    classifiers: tuple[Classifier, ...] = ()
    extractors: tuple[EntityExtractor, ...] = ()
    enrichers: tuple[Enricher, ...] = ()
    language_detectors: tuple[LanguageDetector, ...] = ()
    signatures: tuple[Signature, ...] = ()
    failures: tuple[ProviderFailure, ...] = field(default=())
    _by_claim: Mapping[tuple[str, str], Any] = field(default_factory=dict, repr=False, compare=False)

    def reader(self, capability_id: str) -> Reader | None:
        """The reader behind a capability id. Asks no component: a descriptor may look for packages, 1 ms each."""
        found: Reader | None = self._by_claim.get(("capability", capability_id))
        return found

    def embedder(self, embedder_id: str) -> Embedder | None:
        """The embedder of that id."""
        found: Embedder | None = self._by_claim.get(("embedder", embedder_id))
        return found

    def annotator(self, annotator_id: str) -> Any:
        """The classifier, extractor or enricher of that id, ``None`` where there is none: ids are one namespace."""
        return self._by_claim.get(("annotator", annotator_id))


def build(contributions: Iterable[tuple[str, Contribution]], failures: Iterable[ProviderFailure] = ()) -> Registry:
    """An inventory of the given contributions, in order. Tests and embedders of indx assemble their own with it.

    Raises:
        DuplicateComponent: Two owners declare the same id; the message names both.
    """
    parts: dict[str, list[Any]] = {part.name: [] for part in fields(Contribution)}
    owners: dict[tuple[str, str], str] = {}
    by_claim: dict[tuple[str, str], Any] = {}
    left_out = list(failures)
    for owner, contribution in contributions:
        try:
            added = {name: list(_resolved(getattr(contribution, name))) for name in parts}
            claims = [(key, item) for name, items in added.items() for item in items for key in _claims(name, item)]
        except Exception as error:  # noqa: BLE001 - a broken provider is left out and reported, never fatal
            left_out.append(ProviderFailure(distribution=owner, reason=f"{type(error).__name__}: {error}"))
            continue
        for key, item in claims:
            if key in owners:
                raise DuplicateComponent(f"{key[0]} {key[1]!r} is declared by both {owners[key]} and {owner}")
            owners[key], by_claim[key] = owner, item
        for name, items in added.items():
            parts[name].extend(items)
    parts["chunkers"].sort(key=lambda chunker: chunker.fallback)  # stable: floors last, else the order found
    components = {name: tuple(items) for name, items in parts.items()}
    return Registry(**components, failures=tuple(left_out), _by_claim=by_claim)


def discover() -> Registry:
    """The inventory of what is installed, taken now. Settings are read; no model is loaded."""
    contributions, failures = _installed()
    return build(contributions, failures)


@lru_cache(maxsize=1)
def _installed() -> tuple[tuple[tuple[str, Contribution], ...], tuple[ProviderFailure, ...]]:
    found: list[tuple[str, Contribution]] = []
    failures: list[ProviderFailure] = []
    candidates = [*_entry_points(), *_folders()]
    for owner, load in candidates:
        try:
            found.append((owner, _checked(load())))
        except Exception as error:  # noqa: BLE001 - as above
            failures.append(ProviderFailure(distribution=owner, reason=f"{type(error).__name__}: {error}"))
    return tuple(found), tuple(failures)


def _checked(loaded: Any) -> Contribution:
    if not isinstance(loaded, Contribution):
        raise TypeError(f"expected a Contribution, got {type(loaded).__name__}")
    return loaded


def _entry_points() -> list[tuple[str, Callable[[], Any]]]:
    points = importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)
    named = sorted(points, key=lambda point: (point.dist.name if point.dist else "", point.name))
    return [(point.dist.name if point.dist else point.name, point.load) for point in named]


def _folders() -> list[tuple[str, Callable[[], Any]]]:
    found: list[tuple[str, Callable[[], Any]]] = []
    for group in FOLDERS:
        package = importlib.import_module(f"indx_core.{group}")
        modules = [info.name for info in pkgutil.iter_modules(package.__path__) if info.ispkg]
        for module in sorted(modules, key=lambda module: (module == LAST_FOLDER, module)):
            name = f"indx_core.{group}.{module}"
            found.append((name, partial(_contribution_of, name)))
    return found


def _contribution_of(module: str) -> Any:
    return importlib.import_module(module).CONTRIBUTION


def _resolved(part: Iterable[Any] | Callable[[], Iterable[Any]]) -> Iterable[Any]:
    return part() if callable(part) else part


@dataclass(frozen=True, slots=True)
class _Part:
    """One field of a ``Contribution``: the port its items must satisfy, and the ids an item claims.

    Annotators share one namespace over all their ports; observers claim nothing, since the first answer wins.
    """

    port: type
    namespace: str = ""
    ids: Callable[[Any], Iterable[str]] = lambda _item: ()


_PARTS = {
    "loaders": _Part(Loader, "scheme", lambda item: item.schemes),
    "observers": _Part(Observer),
    "readers": _Part(Reader, "capability", lambda item: (item.descriptor.id,)),
    "chunkers": _Part(Chunker, "chunker", lambda item: (item.id,)),
    "embedders": _Part(Embedder, "embedder", lambda item: (item.descriptor.embedder_id,)),
    "classifiers": _Part(Classifier, "annotator", lambda item: (item.descriptor.id,)),
    "extractors": _Part(EntityExtractor, "annotator", lambda item: (item.descriptor.id,)),
    "enrichers": _Part(Enricher, "annotator", lambda item: (item.descriptor.id,)),
    "language_detectors": _Part(LanguageDetector, "language detector", lambda item: (item.id,)),
    "signatures": _Part(Signature, "signature", lambda item: (item.name,)),
}


def _claims(name: str, item: Any) -> list[tuple[str, str]]:
    part = _PARTS[name]
    if not isinstance(item, part.port):
        raise TypeError(f"{type(item).__name__} among its {name} does not satisfy the port {part.port.__name__}")
    return [(part.namespace, claimed) for claimed in part.ids(item)]
