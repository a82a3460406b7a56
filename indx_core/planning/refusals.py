"""What a request is refused for before its source is fetched: it could not be served whatever the document is.

Needs the request and the snapshot alone. What depends on the document is an unsatisfied plan (``decide.py``).
"""

from collections.abc import Iterable

from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.capability import AnnotatorDescriptor, CapabilitySnapshot, Device
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import (
    DataResidency,
    GranularityRequired,
    UnknownAnnotator,
    UnknownClassifier,
    UnknownEnricher,
    UnknownExtractor,
    UnsupportedGranularity,
)
from indx_core.contracts.plan import Granularity, PlanRequest
from indx_core.planning.embedding import require_spaces

PRODUCED = (Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK)
"""Block scopes there are blocks of. ``region`` is an address that nothing fills yet."""


def validate_request(request: PlanRequest, snapshot: CapabilitySnapshot) -> None:
    """Refuse what no document could satisfy, in the order granularities, spaces, annotations.

    Args:
        request: A plan request, or an encode request with its annotations.
        snapshot: The current inventory.

    Raises:
        UnsupportedGranularity: A block scope nothing produces.
        InvalidEmbeddingSpace: A space that is not in the snapshot.
        UnknownClassifier, UnknownExtractor, UnknownEnricher: An id nothing installed declares for that unit.
        DataResidency: An annotator that would send text out under ``data_residency``.
        GranularityRequired: A chunk annotation without chunks.
    """
    require_granularities(request.granularities)
    require_spaces(request.embedding_space_ids, snapshot)
    if isinstance(request, EncodeRequest):
        validate_annotations(request, snapshot)


def require_granularities(granularities: Iterable[Granularity]) -> None:
    """Refuse a block scope that nothing installed produces.

    Raises:
        UnsupportedGranularity: Listing those there are.
    """
    for granularity in granularities:
        if granularity not in PRODUCED:
            raise UnsupportedGranularity(
                f"nothing installed produces {granularity} blocks; ask for {', '.join(PRODUCED)}",
                param="granularities",
            )


def validate_annotations(request: EncodeRequest, snapshot: CapabilitySnapshot) -> None:
    """Refuse annotations that cannot be made. An empty answer would be indistinguishable from no opinion.

    Raises:
        UnknownClassifier, UnknownExtractor, UnknownEnricher: An id nothing installed declares for that unit.
        DataResidency: An annotator that would send text out under ``data_residency``.
        GranularityRequired: A chunk annotation without chunks.
    """
    named = [
        *_named("classification", request.classification, snapshot.classifiers, UnknownClassifier),
        *_named("extraction", request.extraction, snapshot.extractors, UnknownExtractor),
        *_named("enrichment", request.enrichment, snapshot.enrichers, UnknownEnricher),
    ]
    for param, annotator in named:
        if request.constraints.data_residency and annotator.device is Device.EXTERNAL:
            raise DataResidency(f"{annotator.id} would send the text to an external service", param=param)
    for param, annotator in named:
        if param.endswith(".chunk_ids") and Granularity.CHUNK not in request.granularities:
            raise GranularityRequired(f"{annotator.id} annotates chunks and the request asks for none", param=param)


def _named(
    field: str,
    selection: AnnotationSelection | ExtractionSelection,
    installed: Iterable[AnnotatorDescriptor],
    unknown: type[UnknownAnnotator],
) -> list[tuple[str, AnnotatorDescriptor]]:
    """Every id of a selection with its place in the request and its descriptor; refuses one that is not declared."""
    found = []
    for unit in ("document", "page", "chunk"):
        param = f"{field}.{unit}_ids"
        declared = {each.id: each for each in installed if unit in each.units}
        for annotator_id in getattr(selection, f"{unit}_ids", ()):
            if annotator_id not in declared:
                names = ", ".join(sorted(declared)) or "none"
                raise unknown(f"nothing installed declares {annotator_id} for {unit}s; installed: {names}", param=param)
            found.append((param, declared[annotator_id]))
    return found
