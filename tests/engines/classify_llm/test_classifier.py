"""The model classifier over real HTTP: what is asked, what is taken, what is refused, and which ids there are."""

import importlib.util
import json
from pathlib import Path

import pytest
from model_server import ModelServer, Reply, model_server

from indx_core.contracts.capability import Device
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.classify_llm import CONTRIBUTION
from indx_core.engines.classify_llm.classifier import ModelClassifier
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_classifier

INVOICE = "請求書 株式会社サンプル 御中"


def _json(**facets: list[tuple[str, float]]) -> Reply:
    empty: dict[str, list[tuple[str, float]]] = {"document_type": [], "business_unit": [], "industry": []}
    given = {
        facet: [{"label": label, "confidence": confidence} for label, confidence in labels]
        for facet, labels in (empty | facets).items()
    }
    return Reply(json.dumps(given))


@pytest.fixture
def server():
    with model_server() as running:
        settings = {
            "INDX_CLASSIFIER_LLM_MODEL": "openai/wise",
            "INDX_CLASSIFIER_LLM_API_BASE": running.base,
            "INDX_CLASSIFIER_LLM_RETRIES": "0",
        }
        running.replies = [_json(document_type=[("invoice", 0.9)])]
        with overriding(settings):
            yield running


def _ids() -> list[str]:
    return [classifier.descriptor.id for classifier in build([("it", CONTRIBUTION)]).classifiers]


def test_nothing_is_advertised_until_a_model_is_named() -> None:
    assert _ids() == []


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with overriding({"INDX_CLASSIFIER_LLM_MODEL": "openai/wise"}):
        (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).classifiers)
    assert descriptor.unavailable_reason == "install the 'llm' extra; missing: litellm"


def test_each_allowed_model_has_an_id_of_its_own() -> None:
    models = "anthropic/claude-sonnet-5, ollama/llama3.2"
    with overriding({"INDX_CLASSIFIER_LLM_MODEL": "openai/wise", "INDX_CLASSIFIER_LLM_MODELS": models}):
        found = build([("it", CONTRIBUTION)]).classifiers
        described = [(c.descriptor.id, c.descriptor.model) for c in found]
    assert described == [
        ("llm", "openai/wise"),
        ("llm:anthropic/claude-sonnet-5", "anthropic/claude-sonnet-5"),
        ("llm:ollama/llama3.2", "ollama/llama3.2"),
    ]


def test_the_model_a_request_chose_is_the_one_that_is_asked(server: ModelServer) -> None:
    with overriding({"INDX_CLASSIFIER_LLM_MODELS": "openai/cheap"}):
        chosen = build([("it", CONTRIBUTION)]).classifiers[1]
        chosen.classify([INVOICE])
    assert server.requests[0]["model"] == "cheap"


@pytest.mark.parametrize(
    ("model", "base", "device"),
    [
        ("ollama/llama3", "", Device.GPU),
        ("openai/x", "http://localhost:1", Device.GPU),
        ("anthropic/x", "", Device.EXTERNAL),
    ],
)
def test_residency_is_told_by_the_device(
    model: str, base: str, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    with overriding({"INDX_CLASSIFIER_LLM_API_BASE": base}):
        assert ModelClassifier("llm", model).descriptor.device is device


def test_the_question_holds_the_table_and_the_text_and_the_answer_is_ranked(server: ModelServer) -> None:
    server.replies = [
        _json(document_type=[("receipt", 0.4), ("invoice", 0.9), ("receipt", 0.5)], industry=[("retail", 0.7)])
    ]
    [answer] = ModelClassifier("llm", "openai/wise").classify([INVOICE])
    ranked = {facet: [(label.label, label.confidence) for label in labels] for facet, labels in answer.facets.items()}
    assert ranked == {"document_type": [("invoice", 0.9), ("receipt", 0.5)], "industry": [("retail", 0.7)]}
    assert answer.cost_usd == 0.0
    system, user = server.requests[0]["messages"]
    assert "- invoice: invoice (請求書)" in system["content"]
    assert user["content"] == INVOICE
    schema = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert set(schema["required"]) == {"document_type", "business_unit", "industry"}


def test_a_model_without_an_opinion_leaves_the_document_unlabelled(server: ModelServer) -> None:
    server.replies = [_json()]
    [answer] = ModelClassifier("llm", "openai/wise").classify([INVOICE])
    assert answer.facets == {}


def test_a_blank_text_is_not_worth_a_call(server: ModelServer) -> None:
    assert [answer.facets for answer in ModelClassifier("llm", "openai/wise").classify(["", " \n"])] == [{}, {}]
    assert server.requests == []


def test_the_model_is_shown_the_head_of_a_text(server: ModelServer) -> None:
    with overriding({"INDX_CLASSIFIER_LLM_MAX_CHARACTERS": "20"}):
        ModelClassifier("llm", "openai/wise").classify(["word " * 100])
    assert server.requests[0]["messages"][1]["content"] == "word word word word"


@pytest.mark.parametrize(
    "reply",
    [
        Reply("It looks like an invoice."),
        Reply('{"document_type": []}'),
        _json(document_type=[("love_letter", 0.9)]),
        _json(document_type=[("invoice", 1.5)]),
        Reply('{"document_type": [{"label": "invo', finish_reason="length"),
    ],
    ids=["prose", "facets missing", "a label of its own", "more than certain", "cut off"],
)
def test_an_answer_outside_the_table_is_refused(server: ModelServer, reply: Reply) -> None:
    server.replies = [reply]
    with pytest.raises(CapabilityUnavailable, match="llm: the model openai/wise"):
        ModelClassifier("llm", "openai/wise").classify([INVOICE])
    assert len(server.requests) == 1


def test_an_operators_facets_may_be_called_anything(server: ModelServer, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text('{"機密 区分": {"社外秘": {"names": {"ja": "社外秘"}}}}')
    server.replies = [Reply('{"機密 区分": [{"label": "社外秘", "confidence": 1}], "remark": "sure"}')]
    with overriding({"INDX_CLASSIFIER_LLM_LABELS": str(file)}):
        [answer] = ModelClassifier("llm", "openai/wise").classify([INVOICE])
        assert ModelClassifier("llm", "openai/wise").descriptor.provides == ("機密 区分",)
    assert [label.label for label in answer.facets["機密 区分"]] == ["社外秘"]


def test_it_conforms_to_the_port(server: ModelServer) -> None:
    check_classifier(ModelClassifier("llm", "openai/wise"), [INVOICE])
    assert len(server.requests) == 2 * 7, "one call for each text that is not blank, twice"
