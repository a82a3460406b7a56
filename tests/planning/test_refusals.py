"""BLK-03 and CLS-03: refusals that need no byte of the document."""

from typing import Any

import pytest
from planning.builders import embedder, snapshot

from indx_core.contracts.capability import AnnotatorDescriptor, CapabilitySnapshot, Device
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import (
    DataResidency,
    GranularityRequired,
    IndxError,
    InvalidEmbeddingSpace,
    UnknownClassifier,
    UnknownEnricher,
    UnknownExtractor,
    UnsupportedGranularity,
)
from indx_core.contracts.plan import PlanRequest
from indx_core.planning.refusals import validate_request

SOURCE = {"type": "uri", "uri": "file:///never/fetched"}


def annotator(
    name: str, port: str, units: tuple[str, ...] = ("document", "page", "chunk"), **changes: Any
) -> AnnotatorDescriptor:
    return AnnotatorDescriptor(id=name, port=port, units=units, distribution=f"dist-{name}", **changes)


def installed() -> CapabilitySnapshot:
    return snapshot(embedders=[embedder("e", "default-text")]).model_copy(
        update={
            "classifiers": (annotator("words", "classifier"), annotator("whole", "classifier", ("document",))),
            "extractors": (annotator("patterns", "extractor", ("page", "chunk")),),
            "enrichers": (annotator("hosted", "enricher", device=Device.EXTERNAL),),
        }
    )


def refusal(request: dict[str, Any]) -> IndxError:
    with pytest.raises(IndxError) as refused:
        validate_request(EncodeRequest.model_validate({"source": SOURCE, **request}), installed())
    return refused.value


def test_region_blocks_are_refused_listing_what_there_is() -> None:
    """BLK-03."""
    with pytest.raises(UnsupportedGranularity, match="region blocks; ask for document, page, chunk") as refused:
        validate_request(
            PlanRequest.model_validate({"source": SOURCE, "granularities": ["page", "region"]}), installed()
        )
    assert (refused.value.http_status, refused.value.param) == (422, "granularities")


def test_an_unknown_space_is_refused_before_the_fetch() -> None:
    refused = refusal({"embedding_space_ids": ["default-text", "nowhere"]})
    assert isinstance(refused, InvalidEmbeddingSpace)
    assert (refused.code, refused.param) == ("unknown_embedding_space", "embedding_space_ids")


@pytest.mark.parametrize(
    ("field", "unit", "error", "names"),
    [
        ("classification", "document_ids", UnknownClassifier, "whole, words"),
        ("classification", "page_ids", UnknownClassifier, "words"),
        ("extraction", "chunk_ids", UnknownExtractor, "patterns"),
        ("enrichment", "document_ids", UnknownEnricher, "hosted"),
    ],
)
def test_an_annotator_nobody_declares_is_refused_naming_those_there_are(
    field: str, unit: str, error: type[IndxError], names: str
) -> None:
    """CLS-03."""
    refused = refusal({field: {unit: ["nobody"]}})
    assert type(refused) is error
    assert refused.param == f"{field}.{unit}"
    assert refused.message.endswith(f"; installed: {names}")


def test_an_annotator_is_unknown_for_a_unit_it_does_not_serve() -> None:
    """An empty answer would read like no opinion."""
    assert isinstance(refusal({"classification": {"page_ids": ["whole"]}}), UnknownClassifier)


def test_an_id_of_another_port_is_unknown() -> None:
    assert isinstance(refusal({"enrichment": {"page_ids": ["words"]}}), UnknownEnricher)


def test_an_external_annotator_is_refused_under_data_residency() -> None:
    """CLS-03."""
    refused = refusal({"enrichment": {"page_ids": ["hosted"]}, "constraints": {"data_residency": True}})
    assert isinstance(refused, DataResidency)
    assert refused.param == "enrichment.page_ids"


def test_a_chunk_annotation_without_chunks_is_refused() -> None:
    """CLS-03."""
    refused = refusal({"extraction": {"chunk_ids": ["patterns"]}, "granularities": ["document", "page"]})
    assert isinstance(refused, GranularityRequired)
    assert refused.param == "extraction.chunk_ids"


def test_a_request_that_everything_installed_can_serve_passes() -> None:
    validate_request(
        EncodeRequest.model_validate(
            {
                "source": SOURCE,
                "embedding_space_ids": ["default-text"],
                "classification": {"document_ids": ["whole", "words"], "chunk_ids": ["words"]},
                "extraction": {"page_ids": ["patterns"]},
                "enrichment": {"document_ids": ["hosted"]},
            }
        ),
        installed(),
    )
