"""The vision lane over real HTTP: what the model is shown, and what becomes of pages it cannot or may not read."""

import base64
import importlib.util
import io

import pytest
from model_server import ModelServer, Reply, closed_port, model_server
from PIL import Image
from tiff_files import Image as TiffImage
from tiff_files import tiff

from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable
from indx_core.contracts.page import PageStatus
from indx_core.engines.vlm_litellm.reader import GenericVlm
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_reader


@pytest.fixture
def server():
    with model_server() as running:
        settings = {"INDX_VLM_MODEL": "openai/eyes", "INDX_VLM_API_BASE": running.base, "INDX_VLM_RETRIES": "0"}
        with overriding(settings):
            yield running


def _png(width: int = 40, height: int = 30) -> OpenDocument:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, format="PNG")
    return OpenDocument(out.getvalue(), "image/png")


def _three_pages() -> OpenDocument:
    return OpenDocument(tiff([TiffImage(), TiffImage(), TiffImage()]), "image/tiff")


def test_without_a_model_it_says_which_variable_to_set() -> None:
    descriptor = GenericVlm().descriptor
    assert (descriptor.id, descriptor.kind) == ("generic-vlm", CapabilityKind.VLM)
    assert descriptor.distribution == "indx-capability-generic-vlm"
    assert not descriptor.available
    assert descriptor.unavailable_reason == "no vision model configured; set INDX_VLM_MODEL"
    with pytest.raises(CapabilityUnavailable, match="set INDX_VLM_MODEL"):
        next(GenericVlm().read(_png(), [1]))


def test_a_setting_that_does_not_validate_is_why_it_cannot_run_and_not_a_reason_to_vanish() -> None:
    """Left out of the inventory, it would be missing from every plan without a word."""
    for variable in ("INDX_VLM_DPI", "INDX_VLM_TIMEOUT_SECONDS"):
        with overriding({"INDX_VLM_MODEL": "ollama/llava", variable: "0"}):
            descriptor = GenericVlm().descriptor
        assert (descriptor.available, descriptor.unavailable_reason) == (
            False,
            f"{variable}: Input should be greater than 0",
        )


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "litellm" else find(name))
    with overriding({"INDX_VLM_MODEL": "openai/gpt-4o"}):
        assert GenericVlm().descriptor.unavailable_reason == "install the 'vlm' extra; missing: litellm"


@pytest.mark.parametrize(
    ("model", "base", "device"),
    [
        ("ollama/llava", "", Device.GPU),
        ("openai/eyes", "http://127.0.0.1:1/v1", Device.GPU),
        ("openai/gpt-4o", "", Device.EXTERNAL),
    ],
)
def test_a_local_model_is_a_gpu_and_a_hosted_one_external(
    model: str, base: str, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OLLAMA_API_BASE", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    with overriding({"INDX_VLM_MODEL": model, "INDX_VLM_API_BASE": base}):
        descriptor = GenericVlm().descriptor
    assert (descriptor.device, descriptor.model, descriptor.available) == (device, model, True)


def test_a_page_is_shown_as_an_image_and_comes_back_as_text(server: ModelServer) -> None:
    server.replies = [Reply("請求書\n合計\t¥1,200\n")]
    [output] = GenericVlm().read(_png(), [1])
    assert (output.status, output.text, output.confidence) == (PageStatus.COMPLETED, "請求書\n合計\t¥1,200", None)
    assert output.cost_usd == 0.0
    instruction, image = server.requests[0]["messages"][0]["content"]
    assert "Transcribe" in instruction["text"]
    head, _, data = image["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (40, 30)


def test_a_blank_page_is_read_and_empty(server: ModelServer) -> None:
    server.replies = [Reply("[blank page]")]
    [output] = GenericVlm().read(_png(), [1])
    assert (output.status, output.text) == (PageStatus.COMPLETED, "")


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(""), "answered nothing"),
        (Reply("half a", finish_reason="length"), "cut off"),
        (Reply(status=400), "refused the request"),
        (Reply(status=500), "failing"),
    ],
)
def test_a_page_the_model_failed_on_comes_back_failed_and_the_others_are_read(
    server: ModelServer, reply: Reply, says: str
) -> None:
    server.replies = [Reply("one"), reply, Reply("three")]
    outputs = list(GenericVlm().read(_three_pages(), [1, 2, 3]))
    assert [output.status.value for output in outputs] == ["completed", "failed", "completed"]
    assert says in (outputs[1].reason or "")


def test_a_vendor_that_is_away_is_not_asked_for_every_page(server: ModelServer) -> None:
    """With the default timeout and one retry, a hundred pages would wait over three hours."""
    server.replies = [Reply(status=503)]
    pages = GenericVlm().read(_three_pages(), [1, 2, 3])
    assert next(pages).status is PageStatus.FAILED
    with pytest.raises(CapabilityTemporarilyUnavailable):
        next(pages)
    assert len(server.requests) == 2


def test_a_refused_port_is_a_failed_page_that_says_so() -> None:
    settings = {"INDX_VLM_MODEL": "openai/eyes", "INDX_VLM_API_BASE": closed_port(), "INDX_VLM_RETRIES": "0"}
    with overriding(settings):
        [output] = GenericVlm().read(_png(), [1])
    assert (output.status, output.text) == (PageStatus.FAILED, "")
    assert "out of reach" in (output.reason or "")


def test_a_page_beyond_the_pixel_limit_is_never_sent(server: ModelServer) -> None:
    with overriding({"INDX_VLM_MAX_PIXELS": "100"}):
        [output] = GenericVlm().read(_png(), [1])
    assert output.status is PageStatus.FAILED
    assert "100" in (output.reason or "")
    assert server.requests == []


def test_a_scan_is_shown_smaller_and_never_larger(server: ModelServer) -> None:
    with overriding({"INDX_VLM_DPI": "10"}):
        list(GenericVlm().read(_png(400, 400), [1]))
    url = server.requests[0]["messages"][0]["content"][1]["image_url"]["url"]
    assert Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))).size == (117, 117)


def test_it_conforms_to_the_port(server: ModelServer) -> None:
    check_reader(GenericVlm(), _three_pages, pages=[1, 2, 3])
