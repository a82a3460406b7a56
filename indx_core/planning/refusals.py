"""What a request is refused for before its source is fetched: it could not be served whatever the document is.

Needs the request and the snapshot alone. What depends on the document is an unsatisfied plan (``decide.py``).
"""

from collections.abc import Iterable

from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.capability import AnnotatorDescriptor, CapabilitySnapshot, Device
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import (
    CapabilityUnavailable,
    DataResidency,
    GranularityRequired,
    RequestInvalid,
    UnknownAnnotator,
    UnknownClassifier,
    UnknownEnricher,
    UnknownExtractor,
    UnknownLanguage,
    UnsupportedGranularity,
)
from indx_core.contracts.plan import Granularity, PlanRequest
from indx_core.planning.embedding import require_spaces
from indx_core.planning.snapshot import left_out

PRODUCED = (Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK)
"""Block scopes there are blocks of. ``region`` is an address that nothing fills yet."""
_DECIDED_BY_A_PLAN = ("constraints", "granularities", "embedding_space_ids", "signature_detection")
"""Fields of a request that a plan records; beside a supplied one they cannot change anything any more."""


def validate_request(request: PlanRequest, snapshot: CapabilitySnapshot) -> None:
    """Refuse what no document could satisfy, in the order granularities, spaces, supplied plan, annotations.

    Args:
        request: A plan request, or an encode request with its annotations.
        snapshot: The current inventory.

    Raises:
        UnsupportedGranularity: A block scope nothing produces.
        InvalidEmbeddingSpace: A space that is not in the snapshot.
        RequestInvalid: A field that says otherwise than the plan supplied beside it.
        UnknownClassifier, UnknownExtractor, UnknownEnricher: An id nothing installed declares for that unit.
        UnknownLanguage: Lanes for a language that no installed detector finds.
        DataResidency: An annotator that would send text out under ``data_residency``.
        GranularityRequired: A chunk annotation without chunks.
        CapabilityUnavailable: An annotator that is advertised and cannot run here; says what to install or set.
    """
    require_granularities(request.granularities)
    require_spaces(request.embedding_space_ids, snapshot)
    if isinstance(request, EncodeRequest):
        require_one_decision(request)
        validate_annotations(request, snapshot)


def contradicted(request: EncodeRequest) -> tuple[str, ...]:
    """Fields that say otherwise than the supplied plan, which is executed as it stands; a default says nothing."""
    if request.plan is None:
        return ()
    asked = {name: getattr(request, name) for name in _DECIDED_BY_A_PLAN}
    unset = {name: EncodeRequest.model_fields[name].default for name in _DECIDED_BY_A_PLAN}
    return tuple(name for name in asked if asked[name] not in (unset[name], getattr(request.plan, name)))


def require_one_decision(request: EncodeRequest) -> None:
    """Refuse fields that say otherwise than the plan beside them: ignored, they would be answered as if not asked.

    Raises:
        RequestInvalid: Naming every such field.
    """
    fields = contradicted(request)
    if fields:
        raise RequestInvalid(
            f"the supplied plan decides otherwise: {', '.join(fields)}",
            param=fields[0],
            remedy="leave these fields out beside a plan, or make the plan with them",
        )


def require_granularities(granularities: Iterable[Granularity]) -> None:
    """Refuse a block scope that nothing installed produces.

    Raises:
        UnsupportedGranularity: Listing those there are.
    """
    for granularity in granularities:
        if granularity not in PRODUCED:
            raise UnsupportedGranularity(
                f"no installed capability produces {granularity} blocks; "
                f"this installation produces {', '.join(PRODUCED)}",
                param="granularities",
            )


def validate_annotations(request: EncodeRequest, snapshot: CapabilitySnapshot) -> None:
    """Refuse annotations that cannot be made. An empty answer would be indistinguishable from no opinion.

    Raises:
        UnknownClassifier, UnknownExtractor, UnknownEnricher: An id nothing installed declares for that unit.
        UnknownLanguage: Lanes for a language that no installed detector finds.
        DataResidency: An annotator that would send text out under ``data_residency``.
        GranularityRequired: A chunk annotation without chunks.
        CapabilityUnavailable: An annotator that is advertised and cannot run here; says what to install or set.
    """
    decided = request.plan or request
    named = [
        *_named("classification", request.classification, snapshot.classifiers, UnknownClassifier, left_out(snapshot)),
        *_named("extraction", request.extraction, snapshot.extractors, UnknownExtractor, left_out(snapshot)),
        *_named("enrichment", request.enrichment, snapshot.enrichers, UnknownEnricher, left_out(snapshot)),
    ]
    _require_languages(request.extraction, snapshot)
    for param, annotator in named:
        if decided.constraints.data_residency and annotator.device is Device.EXTERNAL:
            raise DataResidency(f"{annotator.id} would send the text to an external service", param=param)
    for param, annotator in named:
        if ".chunk_ids" in param and Granularity.CHUNK not in decided.granularities:
            raise GranularityRequired(f"{annotator.id} annotates chunks and the request asks for none", param=param)
    for param, annotator in named:
        if not annotator.available:
            reason = annotator.unavailable_reason or "it cannot run here"
            raise CapabilityUnavailable(f"{annotator.id}: {reason}", param=param)


def _require_languages(extraction: ExtractionSelection, snapshot: CapabilitySnapshot) -> None:
    for field, language in extraction.mapped_languages():
        if language not in snapshot.languages:
            known = ", ".join(snapshot.languages) or "none, since none is installed (the 'lang' extra)"
            raise UnknownLanguage(
                f"no language detector finds {language!r}; those installed find: {known}",
                param=f"extraction.{field}.{language}",
            )


def _named(
    field: str,
    selection: AnnotationSelection | ExtractionSelection,
    installed: Iterable[AnnotatorDescriptor],
    unknown: type[UnknownAnnotator],
    missing: str,
) -> list[tuple[str, AnnotatorDescriptor]]:
    """Every id of a selection with its place in the request and its descriptor; refuses one that is not declared."""
    found = []
    for place, unit, annotator_id in selection.named():
        param = f"{field}.{place}"
        declared = {each.id: each for each in installed if unit in each.units}
        if annotator_id not in declared:
            names = ", ".join(sorted(declared)) or "none"
            raise unknown(
                f"nothing installed declares {annotator_id} for {unit}s; installed: {names}{missing}", param=param
            )
        found.append((param, declared[annotator_id]))
    return found
