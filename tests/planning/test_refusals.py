"""BLK-03 and CLS-03: refusals that need no byte of the document."""

from typing import Any

import pytest
from planning.builders import P, embedder, observed, plan, snapshot

from indx_core.contracts.capability import AnnotatorDescriptor, CapabilitySnapshot, Device, ProviderFailure
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import (
    CapabilityUnavailable,
    DataResidency,
    GranularityRequired,
    IndxError,
    InvalidEmbeddingSpace,
    RequestInvalid,
    UnknownClassifier,
    UnknownEnricher,
    UnknownExtractor,
    UnknownLanguage,
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
            "languages": ("en", "ja"),
            "classifiers": (
                annotator("words", "classifier"),
                annotator("whole", "classifier", ("document",)),
                annotator("absent", "classifier", available=False, unavailable_reason="install the 'zeroshot' extra"),
            ),
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
    with pytest.raises(
        UnsupportedGranularity, match="region blocks; this installation produces document, page, chunk"
    ) as refused:
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
        ("classification", "document_ids", UnknownClassifier, "absent, whole, words"),
        ("classification", "page_ids", UnknownClassifier, "absent, words"),
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


@pytest.mark.parametrize(
    "request_", [{"classification": {"page_ids": ["labels"]}}, {"embedding_space_ids": ["hosted-text"]}]
)
def test_what_is_missing_over_a_bad_variable_is_refused_naming_the_variable(request_: dict[str, Any]) -> None:
    """Without it the caller reads that nothing of the name is installed, and looks in the wrong place."""
    bad = ProviderFailure(distribution="d", reason="SettingsInvalid: INDX_LABELS: Input should be greater than 0")
    other = ProviderFailure(distribution="d", reason="OSError: /srv/models")
    snapshot = installed().model_copy(update={"failures": (bad, other)})
    with pytest.raises(IndxError) as refused:
        validate_request(EncodeRequest.model_validate({"source": SOURCE, **request_}), snapshot)
    assert refused.value.message.endswith(
        "; left out here over a bad setting: INDX_LABELS: Input should be greater than 0"
    )


def test_an_annotator_is_unknown_for_a_unit_it_does_not_serve() -> None:
    """An empty answer would read like no opinion."""
    refused = refusal({"classification": {"page_ids": ["whole"]}})
    assert isinstance(refused, UnknownClassifier)
    assert "whole" not in refused.message.partition("; installed: ")[2]


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


@pytest.mark.parametrize(
    ("beside", "named"),
    [
        ({"embedding_space_ids": ["default-text"]}, ["embedding_space_ids"]),
        ({"signature_detection": True}, ["signature_detection"]),
        ({"granularities": ["document", "page"]}, ["granularities"]),
        (
            {"constraints": {"minimum_quality": 0.9}, "signature_detection": True},
            ["constraints", "signature_detection"],
        ),
    ],
    ids="-".join,
)
def test_a_field_that_says_otherwise_than_the_supplied_plan_is_refused_by_name(
    beside: dict[str, Any], named: list[str]
) -> None:
    """The plan is executed as it stands: what stands beside it would be ignored."""
    refused = refusal({"plan": plan(observed(P)), **beside})
    assert isinstance(refused, RequestInvalid)
    assert (refused.param, refused.http_status, refused.exit_code) == (named[0], 422, 2)
    assert refused.message.endswith(": " + ", ".join(named))


def test_a_field_that_repeats_the_supplied_plan_is_no_contradiction() -> None:
    """A program sends the request of its plan again, with the plan in it."""
    decided = plan(observed(P), installed(), embedding_space_ids=("default-text",), minimum_quality=0.2)
    request = {"plan": decided, "embedding_space_ids": ["default-text"], "constraints": {"minimum_quality": 0.2}}
    validate_request(EncodeRequest.model_validate({"source": SOURCE, **request}), installed())


def test_the_supplied_plans_residency_holds_for_annotators_named_beside_it() -> None:
    """Otherwise a plan that keeps everything on this machine would be executed and its text sent out."""
    decided = plan(observed(P), data_residency=True)
    refused = refusal({"plan": decided, "enrichment": {"document_ids": ["hosted"]}})
    assert isinstance(refused, DataResidency)
    assert refused.param == "enrichment.document_ids"


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


def test_an_annotator_that_cannot_run_here_is_refused_with_what_to_do() -> None:
    """Before the fetch: a missing model would otherwise be noticed when the pages are read and paid for."""
    refused = refusal({"classification": {"chunk_ids": ["absent"]}})
    assert isinstance(refused, CapabilityUnavailable)
    assert refused.message == "absent: install the 'zeroshot' extra"
    assert refused.param == "classification.chunk_ids"


@pytest.mark.parametrize(
    ("selection", "error", "param"),
    [
        ({"page_ids_by_language": {"ja": ["nobody"]}}, UnknownExtractor, "extraction.page_ids_by_language.ja"),
        ({"chunk_ids_by_language": {"en": ["words"]}}, UnknownExtractor, "extraction.chunk_ids_by_language.en"),
        ({"page_ids_by_language": {"fr": ["patterns"]}}, UnknownLanguage, "extraction.page_ids_by_language.fr"),
    ],
    ids=["an unknown lane", "a lane of another port", "a language nobody finds"],
)
def test_lanes_by_language_are_refused_before_the_fetch(
    selection: dict[str, Any], error: type[IndxError], param: str
) -> None:
    """NER-07."""
    refused = refusal({"extraction": selection})
    assert type(refused) is error
    assert (refused.param, refused.http_status) == (param, 422)


def test_lanes_by_language_without_a_detector_say_what_to_install() -> None:
    extraction = {"page_ids_by_language": {"ja": ["patterns"]}}
    request = EncodeRequest.model_validate({"source": SOURCE, "extraction": extraction})
    with pytest.raises(UnknownLanguage, match="the 'lang' extra"):
        validate_request(request, installed().model_copy(update={"languages": ()}))


def test_a_chunk_lane_by_language_needs_chunks() -> None:
    selection = {"extraction": {"chunk_ids_by_language": {"ja": ["patterns"]}}, "granularities": ["page"]}
    assert isinstance(refusal(selection), GranularityRequired)
