"""The capability: what it declares, and what becomes of pages that cannot be shown to it."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
from tiff_files import Image, tiff

from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.errors import CapabilityUnavailable, SettingsInvalid
from indx_core.contracts.page import PageStatus
from indx_core.engines.ocr_rapid.reader import GenericOcr
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_reader

installed = pytest.mark.skipif(importlib.util.find_spec("rapidocr") is None, reason="the 'ocr' extra is not installed")


@pytest.fixture
def without_rapidocr(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "rapidocr" else find(name))


@installed
def test_it_declares_a_local_recogniser_of_both_languages():
    descriptor = GenericOcr().descriptor
    assert (descriptor.id, descriptor.kind, descriptor.device) == ("generic-ocr", CapabilityKind.OCR, Device.CPU)
    assert descriptor.distribution == "indx-capability-generic-ocr"
    assert descriptor.media_types == ("application/pdf", "image/jpeg", "image/png", "image/tiff")
    assert descriptor.available
    assert {"en", "ja"} <= set(descriptor.languages)
    assert "PP-OCRv6" in (descriptor.model or "")


@pytest.mark.usefixtures("without_rapidocr")
def test_without_its_extra_it_says_what_to_install():
    descriptor = GenericOcr().descriptor
    assert not descriptor.available
    assert descriptor.unavailable_reason == "install the 'ocr' extra; missing: rapidocr"


@pytest.mark.usefixtures("without_rapidocr")
def test_without_its_extra_reading_is_a_typed_refusal():
    with pytest.raises(CapabilityUnavailable, match="'ocr' extra"):
        next(GenericOcr().read(OpenDocument(b"", "image/png"), [1]))


@installed
def test_a_model_that_is_not_there_is_named_by_its_variable_and_not_by_its_path():
    with overriding({"INDX_OCR_RECOGNITION_MODEL": "/secret/place.onnx"}):
        reason = GenericOcr().descriptor.unavailable_reason or ""
    assert "INDX_OCR_RECOGNITION_MODEL" in reason
    assert "secret" not in reason


@installed
def test_a_model_without_an_alphabet_is_refused(tmp_path: Path):
    (tmp_path / "m.onnx").write_bytes(b"")
    with overriding({"INDX_OCR_RECOGNITION_MODEL": str(tmp_path / "m.onnx")}):
        assert "INDX_OCR_RECOGNITION_KEYS" in (GenericOcr().descriptor.unavailable_reason or "")


@installed
def test_a_model_that_cannot_write_kana_does_not_advertise_japanese(tmp_path: Path):
    """The negative of the choice of models: an alphabet of PP-OCRv4's kind is refused for Japanese."""
    (tmp_path / "m.onnx").write_bytes(b"\x08\x0a")
    latin = "\n".join("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789日本のとー")
    (tmp_path / "keys.txt").write_text(latin, encoding="utf-8")
    chosen = {"INDX_OCR_RECOGNITION_MODEL": "m.onnx", "INDX_OCR_RECOGNITION_KEYS": "keys.txt"}
    with overriding({name: str(tmp_path / file) for name, file in chosen.items()}):
        descriptor = GenericOcr().descriptor
    assert descriptor.available
    assert descriptor.languages == ("en",)


@installed
def test_another_file_under_the_same_name_is_another_model(tmp_path: Path):
    """Another model is another snapshot, so that an old plan is not replayed with it."""
    (tmp_path / "keys.txt").write_text("a", encoding="utf-8")
    names = []
    for content in (b"\x08\x0a", b"\x08\x0b\x08\x0c"):
        (tmp_path / "m.onnx").write_bytes(content)
        chosen = {"INDX_OCR_RECOGNITION_MODEL": "m.onnx", "INDX_OCR_RECOGNITION_KEYS": "keys.txt"}
        with overriding({name: str(tmp_path / file) for name, file in chosen.items()}):
            names.append(GenericOcr().descriptor.model)
    assert names[0] != names[1]


@installed
def test_a_page_beyond_the_pixel_limit_comes_back_failed_and_the_others_are_not_lost():
    document = OpenDocument(tiff([Image(width=40, height=40), Image(width=20, height=20)]), "image/tiff")
    with overriding({"INDX_OCR_MAX_PIXELS": "100"}):
        outputs = list(GenericOcr().read(document, [1, 2]))
    assert [(output.number, output.status) for output in outputs] == [(1, PageStatus.FAILED), (2, PageStatus.FAILED)]
    assert "40 x 40 pixels" in (outputs[0].reason or "")


@installed
def test_an_undecodable_image_comes_back_failed_with_the_reason():
    (output,) = GenericOcr().read(OpenDocument(b"\x89PNG\r\n\x1a\n", "image/png"), [1])
    assert output.status is PageStatus.FAILED
    assert "cannot be decoded" in (output.reason or "")


@pytest.mark.parametrize("variable", ["INDX_OCR_DPI", "INDX_OCR_MAX_PIXELS", "INDX_OCR_DETECTION_SIDE"])
def test_a_setting_that_makes_no_sense_is_why_it_cannot_run_and_no_reason_to_vanish(variable: str):
    """Left out of the inventory, it would be missing from every plan without a word, and all scans go to a person."""
    with overriding({variable: "-1"}):
        descriptor = GenericOcr().descriptor
        with pytest.raises(SettingsInvalid, match=variable):
            next(GenericOcr().read(OpenDocument(b"", "image/png"), [1]))
    assert not descriptor.available
    assert (descriptor.unavailable_reason or "").startswith(f"{variable}: Input should be greater than")


@installed
def test_discovery_imports_no_engine():
    code = (
        "import sys; from indx_core.engines.ocr_rapid import CONTRIBUTION; CONTRIBUTION.readers[0].descriptor; "
        "print([m for m in ('cv2', 'numpy', 'PIL', 'rapidocr', 'onnxruntime') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@installed
def test_a_model_file_that_is_no_model_is_a_typed_refusal_without_its_path(tmp_path: Path):
    (tmp_path / "m.onnx").write_bytes(b"no model")
    (tmp_path / "keys.txt").write_text("a", encoding="utf-8")
    chosen = {"INDX_OCR_RECOGNITION_MODEL": "m.onnx", "INDX_OCR_RECOGNITION_KEYS": "keys.txt"}
    document = OpenDocument(tiff([Image()]), "image/tiff")
    paths = {name: str(tmp_path / file) for name, file in chosen.items()}
    with overriding(paths), pytest.raises(CapabilityUnavailable, match="do not load") as refused:
        list(GenericOcr().read(document, [1]))
    assert str(tmp_path) not in refused.value.message


@installed
def test_a_page_on_which_the_engine_fails_comes_back_failed_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch):
    """rapidocr puts a whole traceback into its messages: only the kind of error goes into the reason."""

    class Failing:
        def lines(self, image, longest_side):
            raise RuntimeError("Traceback: /secret/place.py")

    monkeypatch.setattr("indx_core.engines.ocr_rapid.reader._engine", lambda models: Failing())
    outputs = list(GenericOcr().read(OpenDocument(tiff([Image(), Image()]), "image/tiff"), [1, 2]))
    assert [output.status for output in outputs] == [PageStatus.FAILED] * 2
    assert outputs[0].reason == "recognition failed (RuntimeError)"


@installed
@pytest.mark.slow
def test_it_conforms():
    check_reader(GenericOcr(), lambda: OpenDocument(tiff([Image(), Image()]), "image/tiff"), [1, 2])
