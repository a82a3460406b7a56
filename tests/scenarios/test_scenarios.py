"""The 23 scenarios of the product's description, each the same steps over Python, the command line and HTTP."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from model_server import ModelServer, Reply, model_server
from scenarios.conftest import Connect
from scenarios.documents import (
    DRAWING,
    INVOICE,
    JAPANESE_INVOICE,
    NOTE,
    PROCESS_CHART,
    a_red_page,
    a_slide_with_a_hidden_note,
    scanned_pages,
)
from scenarios.transports import Document, Json, Refused

SCENARIOS = """\
Plan a scanned multi-page upload
A DXF drawing plans one page per layout, read by its native rung
A request that names the reader gets that reader or a refusal saying why
PowerPoint chunks carry their shape’s rectangle, and a chunk without one says why
Encode without supplying a plan
A plan decided for another source is refused
A page nothing could read is accounted for rather than dropped
A granularity nothing produces is refused rather than silently dropped
A slide drawn as a process chart nominates its parser for that slide alone
A recognized invoice is routed to its specialist
Embed a text query in a declared space
Embed an image query in a space that advertises an image lane
The first enabled classifier with an opinion wins a facet
A classifier nothing installed declares is refused with a typed error
An enabled word-signature classifier labels an invoice on the document block
The word-signature classifier labels a Japanese invoice
A zero-shot NLI model labels an invoice in either language
A zero-shot NLI model labels a Japanese invoice
An LLM classifier reaching a local endpoint labels an invoice
An LLM classifier reaching a local endpoint labels a Japanese invoice
An LLM classifier with no opinion leaves the document unlabelled
A caller’s own labels travel with the source
An invalid request names the field and echoes the request ID
""".splitlines()

_written: set[str] = set()


def scenario(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Says which of the described scenarios a test is."""

    def named(test: Callable[..., None]) -> Callable[..., None]:
        assert name not in _written
        _written.add(name)
        test.__doc__ = name
        return test

    return named


def test_every_scenario_described_is_written() -> None:
    assert len(SCENARIOS) == 23
    assert sorted(_written) == sorted(SCENARIOS)


# -- plan -------------------------------------------------------------------------------------------------------------


@scenario("Plan a scanned multi-page upload")
def test_plan_a_scan(connect: Connect) -> None:
    plan = connect().plan(scanned_pages(3))["plan"]
    assert (plan["media_type"], plan["page_count"]) == ("application/pdf", 3)
    assert plan["document"]["capability_ids"][-1] == "manual-review"
    assert "native-extraction" not in plan["document"]["capability_ids"], "there is no text to extract"
    assert "no_text_layer" in {reason["code"] for reason in plan["reasons"]}
    assert plan["plan_id"].startswith("sha256:")


@scenario("A DXF drawing plans one page per layout, read by its native rung")
def test_plan_a_drawing(connect: Connect) -> None:
    transport = connect()
    plan = transport.plan(DRAWING)["plan"]
    assert plan["document"]["capability_ids"] == ["dxf-extraction", "manual-review"]
    pages = [block for block in transport.encode(DRAWING)["blocks"] if block["kind"] == "page"]
    assert plan["page_count"] == len(pages) == 3
    read = {page["provenance"]["capability_id"] for page in pages if page["status"] == "completed"}
    assert read == {"dxf-extraction"}


@scenario("A request that names the reader gets that reader or a refusal saying why")
def test_plan_names_the_reader(connect: Connect) -> None:
    transport = connect()
    only = {"capability_ids": ["native-extraction"], "fallbacks_allowed": False}
    ready = transport.plan(INVOICE, constraints=only)["plan"]
    assert (ready["status"], ready["document"]["capability_ids"]) == ("ready", ["native-extraction"])
    refused = transport.plan(scanned_pages(1), constraints=only)["plan"]
    assert refused["status"] == "unsatisfied"
    assert any(line.startswith("capability_ids:") for line in refused["unsatisfied"])


# -- encode -----------------------------------------------------------------------------------------------------------


@scenario("PowerPoint chunks carry their shape’s rectangle, and a chunk without one says why")
def test_encode_slides(connect: Connect) -> None:
    chunks = [b for b in connect().encode(a_slide_with_a_hidden_note())["blocks"] if b["kind"] == "chunk"]
    by_text = {chunk["text"]: chunk for chunk in chunks}
    assert by_text["非表示メモ"]["bbox_reason"] == "hidden"
    assert len(by_text["売上高"]["bbox"]) == 4
    assert all((chunk["bbox"] is None) != (chunk["bbox_reason"] is None) for chunk in chunks)


@scenario("Encode without supplying a plan")
def test_encode_without_a_plan(connect: Connect) -> None:
    transport = connect()
    result = transport.encode(INVOICE, embedding_space_ids=["default-text"])
    planned = transport.plan(INVOICE, embedding_space_ids=["default-text"])["plan"]
    assert result["plan"]["plan_id"] == planned["plan_id"]
    assert _block(result, "page:1")["status"] == "completed"
    assert all(block["embeddings"] for block in result["blocks"] if block["kind"] == "chunk")
    assert "observer" in {component["role"] for component in result["trace"]["components"]}


@scenario("A plan decided for another source is refused")
def test_encode_another_source(connect: Connect) -> None:
    transport = connect()
    plan = transport.plan(NOTE)["plan"]
    assert transport.encode(NOTE, plan=plan)["plan"] == plan
    with pytest.raises(Refused) as refused:
        transport.encode(INVOICE, plan=plan)
    assert (refused.value.type, refused.value.code) == ("plan_conflict", "plan_conflict")


@scenario("A page nothing could read is accounted for rather than dropped")
def test_encode_an_unreadable_page(connect: Connect) -> None:
    without_recognition = {"capability_ids": ["native-extraction", "manual-review"]}
    result = connect().encode(scanned_pages(2), constraints=without_recognition)
    for page in ("page:1", "page:2"):
        block = _block(result, page)
        assert (block["status"], bool(block["reason"]), block["text"]) == ("unreadable", True, None)
    assert result["usage"]["pages"] == 2


@scenario("A granularity nothing produces is refused rather than silently dropped")
def test_encode_regions(connect: Connect) -> None:
    with pytest.raises(Refused) as refused:
        connect().encode(NOTE, granularities=["document", "region"])
    assert (refused.value.code, refused.value.param) == ("unsupported_granularity", "granularities")
    for produced in ("document", "page", "chunk"):
        assert produced in refused.value.message


# -- signatures -------------------------------------------------------------------------------------------------------


@scenario("A slide drawn as a process chart nominates its parser for that slide alone")
def test_signature_of_a_slide(connect: Connect) -> None:
    plan = connect().plan(PROCESS_CHART, signature_detection=True)["plan"]
    assert plan["document"]["capability_ids"] == ["office-extraction", "manual-review"]
    (page,) = plan["pages"]
    assert (page["scope"], page["capability_ids"][0]) == ("page:2", "process-chart-parser")
    (match,) = plan["signatures"]
    assert (match["signature"], match["scope"]) == ("process-chart", "page:2")


@scenario("A recognized invoice is routed to its specialist")
def test_signature_of_an_invoice(connect: Connect) -> None:
    transport = connect()
    plan = transport.plan(INVOICE, signature_detection=True)["plan"]
    assert plan["document"]["capability_ids"][:2] == ["invoice-parser", "native-extraction"]
    assert plan["document"]["capability_ids"][-1] == "manual-review"
    result = transport.encode(INVOICE, signature_detection=True)
    assert _block(result, "page:1")["metadata"]["invoice"]["number"] == "MRFL4LVY-0006"


# -- embed ------------------------------------------------------------------------------------------------------------


@scenario("Embed a text query in a declared space")
def test_embed_text(connect: Connect) -> None:
    result = connect().embed("default-text", "annual recurring revenue")
    space = result["embedding_space"]
    assert (space["id"], space["dimension"], space["metric"]) == ("default-text", 256, "cosine")
    assert len(result["vector"]) == 256
    assert result["embedder"]["embedding_space_id"] == "default-text"


@scenario("Embed an image query in a space that advertises an image lane")
def test_embed_an_image(connect: Connect, image_space: dict[str, str]) -> None:
    transport = connect(**image_space)
    pictured = transport.embed("clip-vit-b32", a_red_page())
    assert "image" in pictured["embedder"]["modalities"]
    described = transport.embed("clip-vit-b32", "a red page")
    assert len(pictured["vector"]) == len(described["vector"]) == 512


# -- classification ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@scenario("The first enabled classifier with an opinion wins a facet")
def test_first_opinion_wins(connect: Connect, endpoint: ModelServer) -> None:
    endpoint.replies = [_opinion(document_type="receipt", industry="retail")]
    classification = {"document_ids": ["words", "llm"]}
    found = _labels(connect(**_reaching(endpoint)).encode(INVOICE, classification=classification))
    assert found["document_type"][0]["label"] == "invoice", "words came first and had an opinion"
    assert found["industry"] == [{"label": "retail", "confidence": 0.9}]


@scenario("A classifier nothing installed declares is refused with a typed error")
def test_unknown_classifier(connect: Connect) -> None:
    with pytest.raises(Refused) as refused:
        connect().encode(NOTE, classification={"document_ids": ["nobody"]})
    assert (refused.value.type, refused.value.code) == ("invalid_annotation", "unknown_classifier")
    assert "words" in refused.value.message, "the ones that are installed are named"


@scenario("An enabled word-signature classifier labels an invoice on the document block")
def test_words(connect: Connect) -> None:
    transport = connect()
    result = transport.encode(INVOICE, classification={"document_ids": ["words"]})
    assert _labels(result)["document_type"][0]["label"] == "invoice"
    assert "classification" not in _block(transport.encode(INVOICE), "document")["metadata"], "nothing runs unnamed"


@scenario("The word-signature classifier labels a Japanese invoice")
def test_words_in_japanese(connect: Connect) -> None:
    result = connect().encode(JAPANESE_INVOICE, classification={"document_ids": ["words"]})
    assert _labels(result)["document_type"][0]["label"] == "invoice"


@scenario("A zero-shot NLI model labels an invoice in either language")
def test_zero_shot(connect: Connect, entailment: dict[str, str]) -> None:
    result = connect(**entailment).encode(INVOICE, classification={"document_ids": ["zeroshot"]})
    assert _labels(result)["document_type"][0]["label"] == "english_invoice"


@scenario("A zero-shot NLI model labels a Japanese invoice")
def test_zero_shot_in_japanese(connect: Connect, entailment: dict[str, str]) -> None:
    result = connect(**entailment).encode(JAPANESE_INVOICE, classification={"document_ids": ["zeroshot"]})
    assert _labels(result)["document_type"][0]["label"] == "japanese_invoice"


@pytest.mark.parametrize("document", [INVOICE], ids=["English"])
@pytest.mark.slow
@scenario("An LLM classifier reaching a local endpoint labels an invoice")
def test_llm(connect: Connect, endpoint: ModelServer, document: Document) -> None:
    _asked_of_the_endpoint(connect, endpoint, document)


@pytest.mark.parametrize("document", [JAPANESE_INVOICE], ids=["Japanese"])
@pytest.mark.slow
@scenario("An LLM classifier reaching a local endpoint labels a Japanese invoice")
def test_llm_in_japanese(connect: Connect, endpoint: ModelServer, document: Document) -> None:
    _asked_of_the_endpoint(connect, endpoint, document)


@pytest.mark.slow
@scenario("An LLM classifier with no opinion leaves the document unlabelled")
def test_llm_without_an_opinion(connect: Connect, endpoint: ModelServer) -> None:
    endpoint.replies = [_opinion()]
    result = connect(**_reaching(endpoint)).encode(INVOICE, classification={"document_ids": ["llm"]})
    assert "classification" not in _block(result, "document")["metadata"]


# -- metadata and errors ----------------------------------------------------------------------------------------------


@scenario("A caller’s own labels travel with the source")
def test_metadata(connect: Connect) -> None:
    result = connect().encode(NOTE, metadata={"tenant": "acme", "sensitivity": "internal"})
    metadata = _block(result, "document")["metadata"]
    assert (metadata["tenant"], metadata["sensitivity"]) == ("acme", "internal")
    assert result["plan"]["plan_id"] == connect().plan(NOTE)["plan"]["plan_id"], "a label routes nothing"


@scenario("An invalid request names the field and echoes the request ID")
def test_invalid_request(connect: Connect) -> None:
    transport = connect()
    with pytest.raises(Refused) as refused:
        transport.encode(NOTE, request_id="mine-7", constraints={"minimum_quality": 7})
    assert refused.value.param == "constraints.minimum_quality"
    if transport.echoes_request_id:
        assert refused.value.request_id == "mine-7"


def _block(result: Json, block_id: str) -> Json:
    return next(block for block in result["blocks"] if block["id"] == block_id)


def _labels(result: Json) -> Json:
    found: Json = _block(result, "document")["metadata"]["classification"]
    return found


def _opinion(**labels: str) -> Reply:
    facets: dict[str, list[Json]] = {"document_type": [], "business_unit": [], "industry": []}
    given = {facet: [{"label": label, "confidence": 0.9}] for facet, label in labels.items()}
    return Reply(json.dumps({**facets, **given}))


def _reaching(endpoint: ModelServer) -> dict[str, str]:
    return {
        "INDX_CLASSIFIER_LLM_MODEL": "openai/local",
        "INDX_CLASSIFIER_LLM_API_BASE": endpoint.base,
        "INDX_CLASSIFIER_LLM_RETRIES": "0",
    }


def _asked_of_the_endpoint(connect: Connect, endpoint: ModelServer, document: Document) -> None:
    endpoint.replies = [_opinion(document_type="invoice")]
    endpoint.requests.clear()
    result = connect(**_reaching(endpoint)).encode(document, classification={"document_ids": ["llm"]})
    assert _labels(result)["document_type"] == [{"label": "invoice", "confidence": 0.9}]
    assert len(endpoint.requests) == 1


@pytest.fixture(scope="module")
def endpoint() -> Iterator[ModelServer]:
    """A model on this machine."""
    pytest.importorskip("litellm", reason="the llm extra is not installed")
    with model_server() as running:
        yield running


@pytest.fixture(scope="module")
def entailment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A working entailment model of a few kilobytes, and a table of its own: it knows characters, not meanings."""
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from nli_model import tiny_nli

    folder = tmp_path_factory.mktemp("nli")
    names = {"english_invoice": {"en": "INVOICE"}, "japanese_invoice": {"ja": "請求書"}}
    table = {"document_type": {label: {"names": each} for label, each in names.items()}}
    (folder / "labels.json").write_text(json.dumps(table), encoding="utf-8")
    tiny_nli(folder, "INVOCE請求書 abcdefghijklmnopqrstuvwxyz")
    return {
        "INDX_CLASSIFIER_ZEROSHOT_MODEL": str(folder),
        "INDX_CLASSIFIER_ZEROSHOT_MODEL_FILE": "model.onnx",
        "INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS": "{}",
        "INDX_CLASSIFIER_ZEROSHOT_LABELS": str(folder / "labels.json"),
    }


@pytest.fixture(scope="module")
def image_space(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The shipped image space over towers of a few kilobytes that know colours."""
    pytest.importorskip("fastembed", reason="the fastembed extra is not installed")
    pytest.importorskip("onnx")
    from engines.embed_fastembed import toy_models

    def tower(name: str, write: Callable[[Path], Path]) -> str:
        return str(write(tmp_path_factory.mktemp(name)))

    return {
        "INDX_EMBED_FASTEMBED_CLIP_TEXT": tower("clip-text", toy_models.clip_text),
        "INDX_EMBED_FASTEMBED_CLIP_IMAGE": tower("clip-image", toy_models.clip_image),
    }
