"""The model lanes inside a whole request, over real HTTP: the ladder, residency, first wins, and the bill."""

import io
import json

import pytest
from model_server import ModelServer, Reply, model_server
from PIL import Image

from indx_core.app.installation import Installation
from indx_core.app.service import Service
from indx_core.contracts.annotation import AnnotationSelection
from indx_core.contracts.block import Block
from indx_core.contracts.encode import EncodeRequest, EncodeResult
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, DataResidency
from indx_core.contracts.plan import Constraints, PlanRequest
from indx_core.contracts.source import InlineSource
from indx_core.engines.classify_llm import CONTRIBUTION as CLASSIFY_LLM
from indx_core.engines.classify_words import CONTRIBUTION as CLASSIFY_WORDS
from indx_core.engines.enrich_extractive import CONTRIBUTION as ENRICH_EXTRACTIVE
from indx_core.engines.enrich_llm import CONTRIBUTION as ENRICH_LLM
from indx_core.engines.vlm_litellm import CONTRIBUTION as VLM
from indx_core.formats.any import CONTRIBUTION as ANY
from indx_core.formats.image import CONTRIBUTION as IMAGE
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding

PAGE = "請求書 株式会社サンプル 御中\nご請求金額の合計は三十三万円です。振込の手数料は貴社のご負担です。\nお支払期限までにお振込先へお支払いください。"
LABELS = {"document_type": [{"label": "receipt", "confidence": 0.9}], "business_unit": [], "industry": []}
LABELS |= {"industry": [{"label": "retail", "confidence": 0.8}]}


@pytest.fixture
def server():
    with model_server() as running:
        variables = {}
        for lane in ("VLM", "CLASSIFIER_LLM", "ENRICH_LLM"):
            variables |= {
                f"INDX_{lane}_MODEL": "openai/one",
                f"INDX_{lane}_API_BASE": running.base,
                f"INDX_{lane}_RETRIES": "0",
            }
        with overriding(variables):
            yield running


def _service() -> Service:
    parts = [CLASSIFY_WORDS, CLASSIFY_LLM, ENRICH_EXTRACTIVE, ENRICH_LLM, VLM, IMAGE, ANY]
    return Service(Installation.of(build([(str(number), part) for number, part in enumerate(parts)])))


def _source() -> InlineSource:
    out = io.BytesIO()
    Image.new("RGB", (60, 40), "white").save(out, format="PNG")
    return InlineSource(data=out.getvalue(), media_type="image/png")


def _encode(**fields: object) -> EncodeResult:
    return _service().encode(EncodeRequest(**{"source": _source(), **fields}))


def _document(result: EncodeResult) -> Block:
    return next(block for block in result.blocks if block.id == "document")


def test_a_page_without_a_text_layer_descends_to_the_vision_model(server: ModelServer) -> None:
    server.replies = [Reply(PAGE)]
    plan = _service().plan(PlanRequest(source=_source())).plan
    assert plan.document.capability_ids == ("generic-vlm", "manual-review")
    assert _document(_encode()).text == PAGE


def test_a_vendor_that_is_away_leaves_the_page_to_a_person(server: ModelServer) -> None:
    server.replies = [Reply(status=503)]
    result = _encode()
    page = next(block for block in result.blocks if block.id == "page:1")
    assert page.status.value == "unreadable"
    assert [event.actual_capability_id for event in result.trace.events] == ["generic-vlm", "manual-review"]


def test_the_first_lane_named_wins_a_facet_and_the_next_one_fills_what_is_open(server: ModelServer) -> None:
    server.replies = [
        Reply(PAGE),
        Reply(json.dumps(LABELS)),
        Reply('{"summary": "A bill.", "tags": [{"label": "billing", "confidence": 0.7}]}'),
    ]
    result = _encode(
        classification=AnnotationSelection(document_ids=("words", "llm")),
        enrichment=AnnotationSelection(document_ids=("extractive", "enrich-llm")),
    )
    metadata = _document(result).metadata
    assert [label["label"] for label in metadata["classification"]["document_type"]] == ["invoice"]
    assert [label["label"] for label in metadata["classification"]["industry"]] == ["retail"]
    assert metadata["enrichment"]["summary"].startswith("ご請求金額の合計は三十三万円です。")
    assert [tag["label"] for tag in metadata["enrichment"]["tags"]] == ["billing"]
    assert result.usage.cost_usd == 0.0


def test_residency_refuses_a_hosted_classifier_before_anything_is_read(server: ModelServer) -> None:
    hosted = {"INDX_CLASSIFIER_LLM_API_BASE": "https://vendor.example.com", "INDX_CLASSIFIER_LLM_MODEL": "openai/x"}
    with overriding(hosted), pytest.raises(DataResidency, match="llm would send the text"):
        _encode(classification=AnnotationSelection(document_ids=("llm",)), constraints=Constraints(data_residency=True))
    assert server.requests == []


def test_residency_keeps_a_local_model_and_refuses_a_hosted_rung(server: ModelServer) -> None:
    server.replies = [Reply(PAGE)]
    constraints = Constraints(data_residency=True)
    assert _document(_encode(constraints=constraints)).text == PAGE
    with overriding({"INDX_VLM_API_BASE": "https://vendor.example.com"}):
        plan = _service().plan(PlanRequest(source=_source(), constraints=constraints)).plan
    assert "generic-vlm" not in plan.document.capability_ids


def test_another_model_is_another_snapshot(server: ModelServer) -> None:
    first = _service().capabilities().snapshot_id
    with overriding({"INDX_VLM_MODEL": "openai/two"}):
        assert _service().capabilities().snapshot_id != first


def test_a_throttled_annotator_that_was_named_fails_the_request_as_transient(server: ModelServer) -> None:
    server.replies = [Reply(PAGE), Reply(status=429)]
    with pytest.raises(CapabilityTemporarilyUnavailable, match="throttling"):
        _encode(classification=AnnotationSelection(document_ids=("llm",)))
