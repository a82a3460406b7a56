"""The entailment lane on a working model of a few kilobytes: everything but the quality of trained weights."""

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from nli_model import tiny_nli

from indx_core.contracts.errors import CapabilityUnavailable, SettingsInvalid
from indx_core.engines.classify_zeroshot import CONTRIBUTION
from indx_core.engines.classify_zeroshot.classifier import ZeroShotClassifier
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_classifier

BILL = "請求書 株式会社サンプル 御中 合計 千円"
TABLE = {
    "document_type": {
        "invoice": {"names": {"ja": "請求書"}},
        "contract": {"names": {"ja": "契約"}},
        "annual_securities_report": {"names": {"ja": "有価証券報告書"}},
    }
}
ALPHABET = BILL + "契約有価証報告 abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def model(tmp_path: Path):
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps(TABLE))
    folder = tmp_path / "model"
    folder.mkdir()
    tiny_nli(folder, ALPHABET)
    with overriding(_settings(folder, labels)):
        yield folder


def _settings(folder: Path, labels: Path) -> dict[str, str]:
    return {
        "INDX_CLASSIFIER_ZEROSHOT_MODEL": str(folder),
        "INDX_CLASSIFIER_ZEROSHOT_MODEL_FILE": "model.onnx",
        "INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS": "{}",
        "INDX_CLASSIFIER_ZEROSHOT_LABELS": str(labels),
    }


def _answer(text: str) -> dict[str, list[tuple[str, float]]]:
    [answer] = ZeroShotClassifier().classify([text])
    return {facet: [(label.label, label.confidence) for label in labels] for facet, labels in answer.facets.items()}


@pytest.mark.usefixtures("model")
def test_a_bill_entails_that_it_is_one() -> None:
    """The softmax is over entailment and contradiction alone, so a label does not compete with the others."""
    assert _answer(BILL) == {"document_type": [("invoice", pytest.approx(0.999955, abs=1e-6))]}


@pytest.mark.usefixtures("model")
def test_labels_above_the_floor_are_ranked() -> None:
    with overriding({"INDX_CLASSIFIER_ZEROSHOT_MINIMUM_CONFIDENCE": "0"}):
        [*ranked] = _answer(BILL + "契")["document_type"]
    assert [label for label, _confidence in ranked] == ["invoice", "contract", "annual_securities_report"]
    assert ranked[1][1] == pytest.approx(0.5)


@pytest.mark.usefixtures("model")
def test_a_text_with_no_likely_label_has_no_facet() -> None:
    assert _answer("abc def") == {}


@pytest.mark.usefixtures("model")
def test_the_model_reads_the_head_of_a_text_and_no_more_than_its_window() -> None:
    with overriding({"INDX_CLASSIFIER_ZEROSHOT_MAX_TOKENS": "32"}):
        assert _answer(BILL + " abc" * 100) != {}
        assert _answer("abc " * 100 + BILL) == {}


@pytest.mark.usefixtures("model")
def test_an_answer_does_not_depend_on_the_texts_beside_it() -> None:
    alone = ZeroShotClassifier().classify([BILL])
    assert ZeroShotClassifier().classify(["abc" * 40, BILL, "契約"])[1:2] == alone


@pytest.mark.parametrize("classes", [("entailment", "neutral", "contradiction"), ("ENTAILMENT", "CONTRADICTION")])
def test_the_columns_are_found_by_name(model: Path, tmp_path: Path, classes: tuple[str, ...]) -> None:
    """Publishers order them differently; a fixed order would swap yes and no."""
    other = tmp_path / "other"
    other.mkdir()
    tiny_nli(other, ALPHABET, tuple(name.lower() for name in classes))
    config = json.loads((other / "config.json").read_text())
    config["id2label"] = {str(index): name for index, name in enumerate(classes)}
    (other / "config.json").write_text(json.dumps(config))
    with overriding({"INDX_CLASSIFIER_ZEROSHOT_MODEL": str(other)}):
        assert [label for label, _confidence in _answer(BILL)["document_type"]] == ["invoice"]


def test_a_model_that_judges_nothing_is_refused(model: Path) -> None:
    (model / "config.json").write_text('{"id2label": {"0": "POSITIVE", "1": "NEGATIVE"}}')
    with pytest.raises(CapabilityUnavailable, match="no inference model"):
        ZeroShotClassifier().classify([BILL])


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_broken_file_is_a_typed_refusal_without_a_path(model: Path, file: str) -> None:
    (model / file).write_bytes(b"not what it claims to be")
    with pytest.raises(CapabilityUnavailable, match="does not load") as caught:
        ZeroShotClassifier().classify([BILL])
    assert str(model) not in caught.value.message


def test_a_model_that_is_not_here_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(CapabilityUnavailable, match="INDX_MODEL_DOWNLOADS=true to fetch it"):
        ZeroShotClassifier().classify([BILL])


def test_without_its_model_it_is_advertised_as_unavailable_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    descriptor = ZeroShotClassifier().descriptor
    assert not descriptor.available
    assert "set INDX_CLASSIFIER_ZEROSHOT_MODEL to a folder that holds it" in (descriptor.unavailable_reason or "")
    assert (descriptor.id, descriptor.distribution) == ("zeroshot", "indx-classifier-zeroshot")
    assert descriptor.model == "Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
    assert descriptor.provides == ("document_type", "business_unit", "industry")


def test_a_model_in_the_hubs_cache_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    name = "models--Xenova--mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
    for file in ("config.json", "tokenizer.json", "onnx/model_quantized.onnx"):
        assert not ZeroShotClassifier().descriptor.available
        place = tmp_path / name / "snapshots" / "0f" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    assert ZeroShotClassifier().descriptor.available


def test_a_local_model_is_named_without_its_path(model: Path) -> None:
    named = str(ZeroShotClassifier().descriptor.model)
    assert named.startswith("model@")
    assert ", labels " in named
    assert str(model.parent) not in named


@pytest.mark.parametrize("hypothesis", ["This is a document.", "{} or {}"])
def test_a_hypothesis_without_its_one_place_is_refused(hypothesis: str) -> None:
    with (
        overriding({"INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS": hypothesis}),
        pytest.raises(SettingsInvalid, match="INDX_CLASSIFIER_ZEROSHOT_HYPOTHESIS"),
    ):
        ZeroShotClassifier().classify([BILL])


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).classifiers)
    assert descriptor.unavailable_reason == "install the 'zeroshot' extra; missing: onnxruntime, tokenizers"


@pytest.mark.usefixtures("model")
def test_half_a_surrogate_pair_does_not_stop_it() -> None:
    assert _answer(BILL + "\ud800") != {}


@pytest.mark.usefixtures("model")
def test_it_conforms_to_the_port() -> None:
    check_classifier(ZeroShotClassifier(), [BILL])
