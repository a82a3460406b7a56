"""Entities by a language model over real HTTP: what it is asked, where its answers are found, and what it costs."""

import importlib.util
import json

import pytest
from model_server import ModelServer, Reply, closed_port, model_server

from indx_core.contracts.capability import Device
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable
from indx_core.engines.ner_llm import CONTRIBUTION
from indx_core.engines.ner_llm.extractor import LlmExtractor, extractors
from indx_core.engines.ner_llm.places import places
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_extractor


@pytest.fixture
def server():
    with model_server() as running:
        settings = {"INDX_NER_LLM_MODEL": "openai/names", "INDX_NER_LLM_API_BASE": running.base}
        with overriding({**settings, "INDX_NER_LLM_RETRIES": "0"}):
            yield running


def answer(*named: tuple[str, str]) -> Reply:
    return Reply(json.dumps({"entities": [{"label": label, "text": text} for label, text in named]}))


def the_lane() -> LlmExtractor:
    (extractor,) = extractors()
    return extractor


def found(text: str) -> list[tuple[str, str, int]]:
    return [(span.label, span.surface, span.start) for span in the_lane().extract([text])[0].spans]


def test_it_conforms(server: ModelServer) -> None:
    server.replies = [
        answer(("organization", "株式会社インデックス"), ("date", "2026-03-31"), ("person", "か\u3099く"))
    ]
    check_extractor(the_lane(), ["株式会社インデックスは2026-03-31に"])


def test_the_model_names_and_the_lane_finds_every_occurrence(server: ModelServer) -> None:
    server.replies = [answer(("organization", "Acme"), ("person", "山田 太郎"), ("person", "Nobody"))]
    assert found("Acme 🧾 山田　太郎, Acmes, Acme; 山田\n太郎") == [
        ("organization", "Acme", 0),
        ("person", "山田　太郎", 7),
        ("organization", "Acme", 21),
        ("person", "山田\n太郎", 27),
    ]


def test_labels_nobody_asked_for_are_dropped(server: ModelServer) -> None:
    server.replies = [answer(("person", "Alice"), ("weapon", "pen"))]
    assert found("Alice has a pen") == [("person", "Alice", 0)]
    with overriding({"INDX_NER_LLM_LABELS": "weapon"}):
        assert found("Alice has a pen") == [("weapon", "pen", 12)]
    assert "person, organization, location, date, money, invoice_number" in server.requests[0]["messages"][0]["content"]
    assert "Labels: weapon." in server.requests[1]["messages"][0]["content"]


def test_the_model_reads_the_head_and_what_it_names_is_found_in_the_rest_too(server: ModelServer) -> None:
    server.replies = [answer(("person", "Alice"))]
    with overriding({"INDX_NER_LLM_MAX_CHARACTERS": "12"}):
        assert found("Alice wrote to Bob and Alice") == [("person", "Alice", 0), ("person", "Alice", 23)]
    assert server.requests[0]["messages"][1] == {"role": "user", "content": "Alice wrote"}


def test_a_blank_text_costs_no_question(server: ModelServer) -> None:
    assert found(" \n\u3000") == []
    assert server.requests == []


def test_half_a_surrogate_pair_does_not_stop_the_question(server: ModelServer) -> None:
    server.replies = [answer(("person", "Alice"))]
    assert found("\ud800Alice") == [("person", "Alice", 1)]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply("I found Alice."), "other than JSON"),
        (Reply('{"people": ["Alice"]}'), "another shape"),
        (Reply('{"entities": [', "length"), "cut off"),
        (Reply(status=401), "credentials"),
    ],
)
def test_an_answer_that_cannot_be_used_is_a_failure_and_not_an_empty_list(
    server: ModelServer, reply: Reply, reason: str
) -> None:
    server.replies = [reply]
    with pytest.raises(CapabilityUnavailable, match=reason):
        found("Alice")


def test_a_server_that_is_away_may_answer_later(server: ModelServer) -> None:
    with overriding({"INDX_NER_LLM_API_BASE": closed_port()}), pytest.raises(CapabilityTemporarilyUnavailable):
        found("Alice")


def test_each_allowed_model_is_an_extractor_of_its_own(server: ModelServer) -> None:
    with overriding({"INDX_NER_LLM_MODELS": "openai/large, anthropic/claude-sonnet-5"}):
        described = {each.descriptor.id: each.descriptor.model for each in extractors()}
        server.replies = [answer()]
        extractors()[1].extract(["Alice"])
    assert described == {
        "ner-llm": "openai/names",
        "ner-llm:openai/large": "openai/large",
        "ner-llm:anthropic/claude-sonnet-5": "anthropic/claude-sonnet-5",
    }
    assert server.requests[0]["model"] == "large"


@pytest.mark.parametrize(
    ("base", "device"), [("http://127.0.0.1:9/v1", Device.GPU), ("https://models.example/v1", Device.EXTERNAL)]
)
def test_a_model_elsewhere_is_external_so_that_data_residency_refuses_it(base: str, device: Device) -> None:
    with overriding({"INDX_NER_LLM_MODEL": "openai/names", "INDX_NER_LLM_API_BASE": base}):
        assert the_lane().descriptor.device is device


def test_a_local_model_costs_nothing(server: ModelServer) -> None:
    server.replies = [answer(("person", "Alice"))]
    assert the_lane().extract(["Alice"])[0].cost_usd == 0.0


def test_without_a_model_nothing_is_advertised_and_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert callable(CONTRIBUTION.extractors)
    assert CONTRIBUTION.extractors() == ()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with overriding({"INDX_NER_LLM_MODEL": "openai/names"}):
        (extractor,) = CONTRIBUTION.extractors()
        assert extractor.descriptor.unavailable_reason == "install the 'llm' extra; missing: litellm"


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("任天堂株式会社", [("organization", "任天堂"), ("organization", "任天堂株式会社")], ["organization:0-7"]),
        ("March 2026", [("date", "March 2026"), ("money", "2026")], ["date:0-10"]),
        ("AB", [("a", "AB"), ("b", "AB")], ["a:0-2"]),
        ("x", [("a", ""), ("a", "  ")], []),
        ("a.b a+b", [("a", "a.b")], ["a:0-3"]),
        ("人名Aさん", [("a", "A")], ["a:2-3"]),
    ],
)
def test_places_never_overlap(text: str, named: list[tuple[str, str]], expected: list[str]) -> None:
    assert [f"{place.label}:{place.start}-{place.end}" for place in places(text, named)] == expected
