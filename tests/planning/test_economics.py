"""ECO-01 and ECO-02: prices by kind, corrected by the operator's file, which is refused rather than ignored."""

from pathlib import Path

import pytest
from planning.builders import MANUAL, NATIVE, OCR, PDF, TEXT, VLM, capability

from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.settings import overriding
from indx_core.planning.economics import DEFAULTS, Economics, Price, load_economics, parse_economics


def test_every_kind_has_a_price() -> None:
    assert set(DEFAULTS) == set(CapabilityKind)


def test_a_capability_is_priced_by_its_kind() -> None:
    """ECO-01: a third-party OCR is priced like OCR."""
    assert Economics().of(capability("other-ocr", CapabilityKind.OCR, PDF)) == Price(0.8, 0.0005, 400)
    assert Economics().of(MANUAL) == Price(1.0, 2.0, 86_400_000)


def test_an_id_wins_over_its_kind_figure_by_figure() -> None:
    """ECO-02."""
    economics = parse_economics(
        '{"ocr": {"quality": 0.7, "latency_ms_per_page": 900}, "generic-ocr": {"quality": 0.6, "cost_usd_per_page": 0}}'
    )
    assert economics.of(OCR) == Price(0.6, 0.0, 900)
    assert economics.of(capability("other-ocr", CapabilityKind.OCR)) == Price(0.7, 0.0005, 900)
    assert economics.of(VLM) == DEFAULTS[CapabilityKind.VLM]


def test_a_key_that_is_both_id_and_kind_is_the_figure_of_both() -> None:
    economics = parse_economics('{"native-extraction": {"quality": 0.5}}')
    assert economics.of(NATIVE).quality == economics.of(TEXT).quality == 0.5


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "not a JSON object"),
        ("[]", "the file: Input should be a valid dictionary"),
        ("3", "the file"),
        ('{"ocr": 3}', "ocr"),
        ('{"ocr": {"price": 1}}', "ocr.price: Extra inputs are not permitted"),
        ('{"ocr": {"quality": 1.1}}', "ocr.quality"),
        ('{"ocr": {"quality": -0.1}}', "ocr.quality"),
        ('{"ocr": {"quality": "0.5"}}', "ocr.quality"),
        ('{"ocr": {"quality": null}}', "ocr.quality"),
        ('{"ocr": {"quality": NaN}}', "ocr.quality"),
        ('{"ocr": {"quality": true}}', "ocr.quality"),
        ('{"ocr": {"cost_usd_per_page": -1}}', "ocr.cost_usd_per_page"),
        ('{"ocr": {"cost_usd_per_page": Infinity}}', "ocr.cost_usd_per_page"),
        ('{"ocr": {"latency_ms_per_page": 1.5}}', "ocr.latency_ms_per_page"),
        ('{"ocr": {"latency_ms_per_page": -1}}', "ocr.latency_ms_per_page"),
        ('{"ocr": {"quality": 1}, "ocr": {"quality": 0}}', "repeated key ocr"),
        ("[" * 200_000, "not a JSON object"),
    ],
)
def test_a_malformed_file_is_refused_naming_the_place(text: str, fault: str) -> None:
    """ECO-02: it would move routes on prices that its author believes corrected."""
    with pytest.raises(SettingsInvalid) as refused:
        parse_economics(text)
    assert refused.value.message.startswith("INDX_ROUTING_ECONOMICS: ")
    assert fault in refused.value.message


def test_every_fault_of_a_file_is_named_at_once() -> None:
    with pytest.raises(SettingsInvalid, match=r"ocr\.quality: .*; vlm\.price: "):
        parse_economics('{"ocr": {"quality": 2}, "vlm": {"price": 1}}')


def test_without_the_variable_the_shipped_prices_hold() -> None:
    assert load_economics() == Economics()


def test_the_variable_names_the_file(tmp_path: Path) -> None:
    """ECO-02."""
    file = tmp_path / "prices.json"
    file.write_text('{"ocr": {"cost_usd_per_page": 0.05}}', encoding="utf-8")
    with overriding({"INDX_ROUTING_ECONOMICS": str(file)}):
        assert load_economics().of(OCR) == Price(0.8, 0.05, 400)


def test_a_file_that_cannot_be_read_is_refused_without_showing_the_path(tmp_path: Path) -> None:
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe")
    for path in (tmp_path / "absent.json", tmp_path, binary):
        with overriding({"INDX_ROUTING_ECONOMICS": str(path)}), pytest.raises(SettingsInvalid) as refused:
            load_economics()
        assert refused.value.message.startswith("INDX_ROUTING_ECONOMICS: the file it names cannot be read (")
        assert str(tmp_path) not in refused.value.message
