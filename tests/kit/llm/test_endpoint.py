"""Where a model computes. Residency rests on these answers, so every doubtful address counts as external."""

import pytest

from indx_core.contracts.capability import Device
from indx_core.kit.llm.endpoint import endpoint, is_loopback

VENDOR_VARIABLES = ("OLLAMA_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_BASE", "LM_STUDIO_API_BASE")


@pytest.fixture(autouse=True)
def _no_vendor_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VENDOR_VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("model", "api_base", "device"),
    [
        ("ollama/llava", None, Device.GPU),
        ("ollama_chat/llama3", None, Device.GPU),
        ("llamafile/x", None, Device.GPU),
        ("docker_model_runner/x", None, Device.GPU),
        ("openai/anything", "http://127.0.0.1:8080/v1", Device.GPU),
        ("openai/anything", "http://[::1]:8080/v1", Device.GPU),
        ("hosted_vllm/x", "http://LOCALHOST:8000", Device.GPU),
        ("anthropic/claude-sonnet-5", None, Device.EXTERNAL),
        ("gpt-4o", None, Device.EXTERNAL),
        ("openai/gpt-4o", None, Device.EXTERNAL),
        ("lm_studio/x", None, Device.EXTERNAL),
        ("bedrock/x", None, Device.EXTERNAL),
        ("ollama/llava", "http://gpu-box:11434", Device.EXTERNAL),
        ("ollama/llava", "https://10.0.0.8", Device.EXTERNAL),
        ("unheard-of/x", None, Device.EXTERNAL),
        ("ollama", None, Device.EXTERNAL),
    ],
)
def test_a_model_is_local_only_where_its_effective_host_is_a_loopback_one(
    model: str, api_base: str | None, device: Device
) -> None:
    assert endpoint(model, api_base).device is device


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("http://localhost:1", True),
        ("http://127.1.2.3", True),
        ("http://[::1]", True),
        ("http://localhost.example.com", False),
        ("http://localhost@example.com/", False),
        ("http://127.0.0.1.example.com", False),
        ("http://0.0.0.0:11434", False),
        ("http://host.docker.internal:11434", False),
        ("localhost:11434", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_an_address_is_loopback_by_its_host_alone(address: str, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_a_providers_variable_moves_its_models_off_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """LiteLLM reads the variable silently: a table of local providers alone would send text out under residency."""
    monkeypatch.setenv("OLLAMA_API_BASE", "http://gpu-box:11434")
    found = endpoint("ollama/llava")
    assert (found.device, found.base) == (Device.EXTERNAL, "http://gpu-box:11434")


def test_a_lanes_own_setting_wins_over_the_providers_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://gateway.example.com")
    assert endpoint("openai/x", "http://127.0.0.1:1").local


def test_the_address_that_was_judged_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    assert endpoint("ollama/llava").base == "http://localhost:11434"
    monkeypatch.setenv("OPENAI_API_BASE", "http://127.0.0.1:9")
    assert endpoint("openai/x").base == "http://127.0.0.1:9"
