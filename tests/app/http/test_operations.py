"""The five operations over a socket: what they answer, in either form of body."""

import base64
import json
from pathlib import Path

import pytest
from app.http.serving import Running, file_part, request_part
from formats.pdf.pdf_builder import PdfBuilder, line
from starlette.responses import PlainTextResponse
from starlette.routing import Mount

from indx_core.app.http.openapi import openapi
from indx_core.app.service import Service
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.encode import EmbedResult, EncodeResult
from indx_core.contracts.plan import PlanRequest, PlanResult
from indx_core.contracts.source import InlineSource

NOTE = b"first page\fsecond page\n"
INLINE = {"type": "inline", "data": base64.b64encode(NOTE).decode(), "filename": "note.txt"}


def test_health_says_that_the_process_lives_and_its_version(service: Running) -> None:
    reply = service.get("/health")
    assert (reply.status, reply.json) == (200, {"status": "ok", "version": "0.1.0"})


def test_capabilities_are_the_snapshot_plans_are_bound_to(service: Running) -> None:
    snapshot = CapabilitySnapshot.model_validate_json(service.get("/v1/capabilities").body)
    plan = service.post("/v1/plan", {"source": INLINE}).json["plan"]
    assert plan["snapshot_id"] == snapshot.snapshot_id == Service().capabilities().snapshot_id


def test_a_snapshot_is_kept_by_its_id_and_another_id_is_not_answered_with_it(service: Running) -> None:
    current = service.get("/v1/capabilities").json["snapshot_id"]
    assert service.get(f"/v1/capabilities?snapshot_id={current}").json["snapshot_id"] == current
    reply = service.get("/v1/capabilities?snapshot_id=sha256:0")
    assert (reply.status, reply.error["code"], reply.error["param"]) == (404, "snapshot_not_found", "snapshot_id")


def test_a_plan_over_http_is_the_plan_of_the_facade(service: Running) -> None:
    over_http = PlanResult.model_validate_json(service.post("/v1/plan", {"source": INLINE, "request_id": "r"}).body)
    here = Service().plan(PlanRequest(source=InlineSource(data=NOTE, filename="note.txt"), request_id="r"))
    assert over_http == here


def test_a_file_is_planned_as_the_same_bytes_in_json_are(service: Running) -> None:
    uploaded = service.upload("/v1/plan", file_part(NOTE), request_part({"request_id": "r"}))
    inline = service.post("/v1/plan", {"source": INLINE, "request_id": "r"})
    assert uploaded.json == inline.json


def test_the_request_part_may_come_first_or_not_at_all(service: Running) -> None:
    first = service.upload("/v1/plan", request_part({"signature_detection": True}), file_part(NOTE))
    assert first.json["plan"]["signature_detection"] is True
    assert service.upload("/v1/plan", file_part(NOTE)).json["plan"]["page_count"] == 2


def test_a_file_is_what_its_bytes_say_then_what_its_part_says_then_what_its_name_says(service: Running) -> None:
    def media_type(data: bytes, filename: str, declared: str) -> str:
        return service.upload("/v1/plan", file_part(data, filename, declared)).json["plan"]["media_type"]

    assert media_type(b"a,b\n", "x.txt", "text/csv; charset=utf-8") == "text/csv"
    assert media_type(b"a,b\n", "x.csv", "application/octet-stream") == "text/csv"


def test_encode_answers_blocks_vectors_trace_and_usage(service: Running) -> None:
    part = request_part({"embedding_space_ids": ["default-text"], "metadata": {"tenant": "acme"}, "request_id": "7"})
    result = EncodeResult.model_validate_json(service.upload("/v1/encode", file_part(NOTE, "メモ.txt"), part).body)
    document = result.blocks[0]
    assert (result.request_id, document.metadata["tenant"]) == ("7", "acme")
    assert document.provenance.filename == "メモ.txt"
    assert [block.id for block in result.blocks if block.embeddings] == ["page:1/chunk:1", "page:2/chunk:1"]
    assert (result.usage.bytes, result.usage.pages) == (len(NOTE), 2)
    assert {component.role for component in result.trace.components} >= {"observer", "chunker"}


def test_a_plan_handed_back_is_executed_and_one_of_another_source_refused(service: Running) -> None:
    plan = service.post("/v1/plan", {"source": INLINE}).json["plan"]
    replayed = service.post("/v1/encode", {"source": INLINE, "plan": plan})
    assert (replayed.status, replayed.json["plan"]) == (200, plan)
    refused = service.upload("/v1/encode", file_part(b"another"), request_part({"plan": plan, "request_id": "mine"}))
    assert (refused.status, refused.error["code"], refused.error["request_id"]) == (409, "plan_conflict", "mine")


def test_a_plan_nothing_can_satisfy_is_an_answer(service: Running) -> None:
    reply = service.post("/v1/encode", {"source": INLINE, "constraints": {"capability_ids": ["nobody"]}})
    assert (reply.status, reply.json["trace"]["status"]) == (200, "failed")


LANES = {"page_ids_by_language": {"ja": ["patterns"]}}
MIXED = "期日は2026年3月31日です。契約書をご確認くださいますよう。\fThe contract is due on 2026-03-31, as agreed."


def test_lanes_by_language_and_a_declared_language_go_over_the_wire(service: Running) -> None:
    """Lanes follow the language of a page; what a file declares of itself stands beside and steers nothing."""
    pytest.importorskip("lingua")
    source = {"type": "inline", "data": base64.b64encode(MIXED.encode()).decode(), "filename": "mixed.txt"}
    document = service.post("/v1/encode", {"source": source, "extraction": LANES}).json["blocks"][0]
    assert list(document["metadata"]["entities"]["by_block"]) == ["page:1"]
    builder = PdfBuilder(catalog=b"/Lang (en-GB)")
    builder.page(line("A page", 72, 700))
    declared = service.upload("/v1/encode", file_part(builder.build(), "a.pdf"), request_part({})).json["blocks"][0]
    assert declared["metadata"]["declared_language"] == "en-GB"
    assert "declared_language" not in document["metadata"]


@pytest.mark.parametrize(
    ("lanes", "status", "code", "param"),
    [
        ({"xx": ["patterns"]}, 422, "unknown_language", "extraction.page_ids_by_language.xx"),
        ({"ja": ["nobody"]}, 422, "unknown_extractor", "extraction.page_ids_by_language.ja"),
        ({"Japanese": ["patterns"]}, 422, "validation_error", "extraction.page_ids_by_language.Japanese.[key]"),
    ],
)
def test_lanes_for_what_is_unknown_are_refused_before_the_fetch(
    service: Running, lanes: dict, status: int, code: str, param: str
) -> None:
    source = {"type": "uri", "uri": "file:///nowhere/at/all"}
    refused = service.post("/v1/encode", {"source": source, "extraction": {"page_ids_by_language": lanes}})
    assert (refused.status, refused.error["code"], refused.error["param"]) == (status, code, param)


def test_embed_places_a_text_query(service: Running) -> None:
    query = {"embedding_space_id": "default-text", "input": {"type": "text", "text": "年間経常収益"}}
    result = EmbedResult.model_validate_json(service.post("/v1/embed", query).body)
    assert len(result.vector) == result.embedding_space.dimension == 256


def test_an_image_query_is_uploaded_like_a_document(service: Running) -> None:
    reply = service.upload("/v1/embed", file_part(b"x", "x.png"), request_part({"embedding_space_id": "default-text"}))
    assert (reply.status, reply.error["code"]) == (422, "unsupported_modality")


def test_the_document_served_is_the_one_in_the_repository(service: Running) -> None:
    committed = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"
    assert service.get("/openapi.json").json == openapi() == json.loads(committed.read_text(encoding="utf-8"))


def test_the_document_is_openapi_3_1_and_names_the_part_schemas() -> None:
    validator = pytest.importorskip("openapi_spec_validator")
    document = openapi()
    validator.validate(document)
    assert document["openapi"] == "3.1.0"
    for name, whole in (("Plan", "source"), ("Encode", "source"), ("Embed", "input")):
        part = document["components"]["schemas"][f"{name}RequestPart"]
        assert whole not in part["properties"]
        form = document["paths"][f"/v1/{name.lower()}"]["post"]["requestBody"]["content"]["multipart/form-data"]
        assert form["schema"]["properties"]["request"] == {"$ref": f"#/components/schemas/{name}RequestPart"}


def test_a_page_can_be_mounted_beside_and_passes_the_same_door() -> None:
    from app.http.serving import running

    page = Mount("/pages", app=PlainTextResponse("for people"))
    with running(beside=[page]) as service:
        reply = service.get("/pages/")
        assert (reply.body, "x-request-id" in reply.headers) == (b"for people", True)
        assert service.get("/pages/", host="elsewhere.example").status == 403
        assert service.get("/health").status == 200
