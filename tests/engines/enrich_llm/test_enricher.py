"""The model enricher over real HTTP: one call for both parts, and each part only if there is an opinion."""

import importlib.util
import json

import pytest
from model_server import ModelServer, Reply, model_server

from indx_core.contracts.capability import Device
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable
from indx_core.engines.enrich_llm import CONTRIBUTION
from indx_core.engines.enrich_llm.enricher import ModelEnricher
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_enricher

REPORT = "売上高は前年同期に比べて十二パーセント増加した。"


def _json(summary: str, *tags: tuple[str, float]) -> Reply:
    listed = [{"label": label, "confidence": confidence} for label, confidence in tags]
    return Reply(json.dumps({"summary": summary, "tags": listed}))


@pytest.fixture
def server():
    with model_server() as running:
        settings = {
            "INDX_ENRICH_LLM_MODEL": "openai/wise",
            "INDX_ENRICH_LLM_API_BASE": running.base,
            "INDX_ENRICH_LLM_RETRIES": "0",
        }
        running.replies = [_json("売上高が増えた。", ("sales", 0.8))]
        with overriding(settings):
            yield running


def _enricher() -> ModelEnricher:
    return ModelEnricher("enrich-llm", "openai/wise")


def _ids() -> list[str]:
    return [enricher.descriptor.id for enricher in build([("it", CONTRIBUTION)]).enrichers]


def test_nothing_is_advertised_until_a_model_is_named() -> None:
    assert _ids() == []
    with overriding({"INDX_ENRICH_LLM_MODEL": "openai/wise", "INDX_ENRICH_LLM_MODELS": "ollama/b"}):
        assert _ids() == ["enrich-llm", "enrich-llm:ollama/b"]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with overriding({"INDX_ENRICH_LLM_MODEL": "openai/wise"}):
        (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).enrichers)
    assert descriptor.unavailable_reason == "install the 'llm' extra; missing: litellm"


def test_one_call_answers_both_parts(server: ModelServer) -> None:
    server.replies = [_json(" 売上高が増えた。\n", ("sales", 0.5), ("half year", 0.9), ("sales", 0.7), (" ", 1))]
    [answer] = _enricher().enrich([REPORT])
    assert answer.parts.summary == "売上高が増えた。"
    assert [(tag.label, tag.confidence) for tag in answer.parts.tags] == [("half year", 0.9), ("sales", 0.7)]
    assert answer.cost_usd == 0.0
    assert len(server.requests) == 1
    assert server.requests[0]["messages"][1]["content"] == REPORT


def test_each_part_is_left_out_when_there_is_nothing_to_say(server: ModelServer) -> None:
    server.replies = [_json("  ")]
    [answer] = _enricher().enrich([REPORT])
    assert (answer.parts.summary, answer.parts.tags) == (None, ())


def test_the_settings_say_how_long_and_how_many(server: ModelServer) -> None:
    server.replies = [_json("s", *((f"tag {n}", 0.5) for n in range(9)))]
    with overriding({"INDX_ENRICH_LLM_SUMMARY_SENTENCES": "7", "INDX_ENRICH_LLM_TAGS": "3"}):
        [answer] = _enricher().enrich([REPORT])
    assert [tag.label for tag in answer.parts.tags] == ["tag 0", "tag 1", "tag 2"]
    instruction = server.requests[0]["messages"][0]["content"]
    assert "at most 7 sentence(s)" in instruction
    assert "up to 3 short tags" in instruction


@pytest.mark.parametrize("content", ["A summary.", '{"summary": null, "tags": []}', '{"summary": "x"}'])
def test_another_shape_is_refused(server: ModelServer, content: str) -> None:
    server.replies = [Reply(content)]
    with pytest.raises(CapabilityUnavailable, match="enrich-llm: the model openai/wise answered"):
        _enricher().enrich([REPORT])


def test_a_throttled_model_is_a_transient_failure(server: ModelServer) -> None:
    server.replies = [Reply(status=429)]
    with pytest.raises(CapabilityTemporarilyUnavailable):
        _enricher().enrich([REPORT])


def test_residency_is_told_by_the_device() -> None:
    assert ModelEnricher("enrich-llm", "anthropic/x").descriptor.device is Device.EXTERNAL
    with overriding({"INDX_ENRICH_LLM_API_BASE": "http://127.0.0.1:1"}):
        assert ModelEnricher("enrich-llm", "anthropic/x").descriptor.device is Device.GPU


def test_it_conforms_to_the_port(server: ModelServer) -> None:
    check_enricher(_enricher(), [REPORT])
