"""Requests over real HTTP to a scripted server: retries, typed failures, prices, and what a message may say."""

import dataclasses
import os
import subprocess
import sys

import pytest
from model_server import ModelServer, Reply, closed_port, model_server
from pydantic import BaseModel, SecretStr

from indx_core.contracts.capability import Device
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable, Cause
from indx_core.kit.llm.chat import ask, ask_json
from indx_core.kit.llm.connection import Connection
from indx_core.kit.llm.endpoint import Endpoint
from indx_core.kit.llm.settings import ModelChoice

QUESTION = [{"role": "user", "content": "What is this?"}]
SECRET = "sk-very-secret"


class Verdict(BaseModel):
    label: str
    confidence: float


@pytest.fixture
def server():
    with model_server() as running:
        yield running


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def connection(server: ModelServer, pauses: list[float]) -> Connection:
    return _connection(server.base, pauses)


def _connection(base: str, pauses: list[float], **changes: object) -> Connection:
    values = {"retries": 2, "timeout_seconds": 5, "api_key": SecretStr(SECRET), **changes}
    return Connection("the-lane", "openai/stub", Endpoint(base, Device.GPU), pause=pauses.append, **values)


def test_an_answer_comes_with_its_text_and_costs_nothing_on_this_machine(
    connection: Connection, server: ModelServer
) -> None:
    answer = ask(connection, QUESTION)
    assert (answer.text, answer.cost_usd) == ("hello", 0.0)
    [request] = server.requests
    assert request["messages"] == QUESTION
    assert request["temperature"] == 0
    assert server.authorizations == [f"Bearer {SECRET}"]


def test_a_local_server_is_never_sent_the_vendors_own_key(
    server: ModelServer, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-vendor")
    ask(_connection(server.base, pauses, api_key=None), QUESTION)
    assert server.authorizations == ["Bearer none"]


@pytest.mark.parametrize("model", ["openai/stub", "hosted_vllm/stub"])
def test_a_local_server_is_reached_directly_whatever_proxy_the_environment_names(
    server: ModelServer, pauses: list[float], monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    """The vendors' clients would send the text to the proxy: it would leave the machine under ``data_residency``."""
    monkeypatch.setenv("NO_PROXY", "intranet.example.com")
    monkeypatch.setenv("no_proxy", "")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    # A timeout of its own: clients are kept by their settings, and one that is new reads the environment.
    fresh = dataclasses.replace(_connection(server.base, pauses, timeout_seconds=4, retries=0), model=model)
    assert ask(fresh, QUESTION).text == "hello"
    assert os.environ["NO_PROXY"] == os.environ["no_proxy"] == "intranet.example.com,127.0.0.1"


@pytest.mark.parametrize(
    "failing",
    [Reply(status=429), Reply(status=500), Reply(status=503), Reply(body=b"<html>gateway</html>")],
    ids=["429", "500", "503", "no protocol at all"],
)
def test_a_transient_failure_is_asked_again(
    connection: Connection, server: ModelServer, pauses: list[float], failing: Reply
) -> None:
    server.replies = [failing, failing, Reply("at last")]
    assert ask(connection, QUESTION).text == "at last"
    assert len(server.requests) == 3
    assert pauses == [0.5, 1.0]


def test_the_pause_is_the_servers_where_it_asks_for_one_and_bounded(
    connection: Connection, server: ModelServer, pauses: list[float]
) -> None:
    server.replies = [
        Reply(status=429, headers={"retry-after": "7"}),
        Reply(status=429, headers={"retry-after": "86400"}),
        Reply("ok"),
    ]
    ask(connection, QUESTION)
    assert pauses == [7.0, 30.0]


@pytest.mark.parametrize(("status", "says"), [(429, "throttling"), (500, "failing"), (503, "failing")])
def test_retries_are_bounded_and_end_in_a_typed_transient_error(
    connection: Connection, server: ModelServer, status: int, says: str
) -> None:
    """LiteLLM alone would send three requests for each of ours."""
    server.replies = [Reply(status=status)]
    with pytest.raises(CapabilityTemporarilyUnavailable, match=says) as caught:
        ask(connection, QUESTION)
    assert caught.value.cause is Cause.TRANSIENT
    assert len(server.requests) == 3


def test_a_server_that_does_not_answer_in_time_is_transient(server: ModelServer, pauses: list[float]) -> None:
    server.replies = [Reply("too late", delay_seconds=0.5)]
    with pytest.raises(CapabilityTemporarilyUnavailable, match="in time"):
        ask(_connection(server.base, pauses, timeout_seconds=0.1, retries=1), QUESTION)
    assert len(server.requests) == 2


def test_a_refused_port_is_transient(pauses: list[float]) -> None:
    with pytest.raises(CapabilityTemporarilyUnavailable, match="out of reach"):
        ask(_connection(closed_port(), pauses, retries=0), QUESTION)


@pytest.mark.parametrize(("status", "says"), [(400, "request"), (401, "credentials"), (404, "know the model")])
def test_what_would_be_refused_again_is_asked_once(
    connection: Connection, server: ModelServer, pauses: list[float], status: int, says: str
) -> None:
    server.replies = [Reply(status=status)]
    with pytest.raises(CapabilityUnavailable, match=says) as caught:
        ask(connection, QUESTION)
    assert caught.value.cause is Cause.PERMANENT
    assert (len(server.requests), pauses) == (1, [])


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_no_message_repeats_a_secret_an_address_or_the_vendors_words(
    server: ModelServer, pauses: list[float], status: int
) -> None:
    server.replies = [Reply(status=status)]
    with pytest.raises(CapabilityUnavailable) as caught:
        ask(_connection(server.base, pauses, retries=0), QUESTION)
    told = f"{caught.value.message} {caught.value.remedy} {caught.value.details}"
    assert SECRET not in told
    assert "sk-secret-echo" not in told
    assert "127.0.0.1" not in told
    assert caught.value.__suppress_context__
    assert caught.value.message.startswith("the-lane: the model openai/stub")


def test_a_secret_is_not_in_the_connections_own_representation(connection: Connection) -> None:
    assert SECRET not in repr(connection)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply("the begin", finish_reason="length"), "cut off"),
        (Reply("", finish_reason="content_filter"), "withheld"),
        (Reply(""), "answered nothing"),
        (Reply(None), "answered nothing"),
    ],
)
def test_an_answer_that_is_not_whole_is_refused_and_its_cost_kept(
    connection: Connection, server: ModelServer, reply: Reply, says: str
) -> None:
    server.replies = [reply]
    with pytest.raises(CapabilityUnavailable, match=says) as caught:
        ask(connection, QUESTION)
    assert caught.value.details == {"cost_usd": 0.0}
    assert len(server.requests) == 1


def test_a_json_answer_is_validated_against_the_schema_that_was_sent(
    connection: Connection, server: ModelServer
) -> None:
    server.replies = [Reply('{"label": "invoice", "confidence": 0.9}')]
    verdict, cost = ask_json(connection, QUESTION, Verdict)
    assert (verdict, cost) == (Verdict(label="invoice", confidence=0.9), 0.0)
    sent = server.requests[0]["response_format"]
    assert sent["type"] == "json_schema"
    assert set(sent["json_schema"]["schema"]["properties"]) == {"label", "confidence"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("It is an invoice.", "other than JSON"),
        ('{"label": "invoice", "conf', "other than JSON"),
        ('```json\n{"label": "invoice", "confidence": 1}\n```', "other than JSON"),
        ('{"label": "invoice"}', "another shape"),
        ('{"label": "invoice", "confidence": "high"}', "another shape"),
        ("[]", "another shape"),
    ],
)
def test_json_is_taken_or_refused_never_repaired(
    connection: Connection, server: ModelServer, content: str, says: str
) -> None:
    server.replies = [Reply(content)]
    with pytest.raises(CapabilityUnavailable, match=says) as caught:
        ask_json(connection, QUESTION, Verdict)
    assert "invoice" not in caught.value.message
    assert len(server.requests) == 1


def test_an_image_travels_as_a_data_url(connection: Connection, server: ModelServer) -> None:
    url = "data:image/png;base64,iVBORw0KGgo="
    content = [{"type": "text", "text": "read"}, {"type": "image_url", "image_url": {"url": url}}]
    ask(connection, [{"role": "user", "content": content}])
    assert server.requests[0]["messages"][0]["content"][1]["image_url"]["url"] == url


def test_a_hosted_models_price_comes_from_its_usage(server: ModelServer, pauses: list[float]) -> None:
    hosted = dataclasses.replace(
        _connection(server.base, pauses), model="openai/gpt-4o-mini", endpoint=Endpoint(server.base, Device.EXTERNAL)
    )
    assert ask(hosted, QUESTION).cost_usd == pytest.approx(1000 * 0.15e-6 + 100 * 0.6e-6)


def test_a_price_nobody_knows_is_unknown_and_not_zero(server: ModelServer, pauses: list[float]) -> None:
    hosted = dataclasses.replace(_connection(server.base, pauses), endpoint=Endpoint(server.base, Device.EXTERNAL))
    assert ask(hosted, QUESTION).cost_usd is None


def test_a_list_of_models_is_advertised_one_id_each() -> None:
    choice = ModelChoice(models=("openai/a", "ollama/b"))
    assert choice.by_id("llm") == {"llm:openai/a": "openai/a", "llm:ollama/b": "ollama/b"}
    assert ModelChoice().by_id("llm") == {}


_IMPORT_OFFLINE = """
import os, socket, sys
tried = []
def refuse(self, address, *rest):
    tried.append(address)
    raise OSError("no network")
socket.socket.connect = refuse
socket.socket.connect_ex = refuse
socket.getaddrinfo = lambda *a, **k: refuse(None, a)
from indx_core.kit.llm.library import litellm, missing
assert missing() is None and "litellm" not in sys.modules
assert litellm().suppress_debug_info is True
assert "FROM_DOT_ENV" not in os.environ, "a .env file of the working directory was read"
print("tried", tried)
"""


@pytest.mark.slow
def test_importing_the_library_reaches_no_network_reads_no_env_file_and_prints_nothing(tmp_path) -> None:
    """By default the import fetches a price map (three attempts) and loads ./.env into the process."""
    (tmp_path / ".env").write_text("FROM_DOT_ENV=1\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM_")}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT_OFFLINE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("tried []\n", "")
