"""The classifier every installation has: which words count, and what a share of them means."""

from pathlib import Path

import pytest

from indx_core.contracts.errors import SettingsInvalid
from indx_core.engines.classify_words.classifier import WordClassifier
from indx_core.engines.classify_words.matching import folded, occurs
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_classifier

JAPANESE_INVOICE = (
    "請　求　書\n株式会社サンプル 御中\nご請求金額 ￥１２０，０００\nお支払期限 2026年4月30日 お振込先 普通"
)
ENGLISH_INVOICE = "INVOICE No. 42\nBill to: Example Ltd\nAmount due: $1,200.00"


def _labels(text: str, facet: str = "document_type") -> list[tuple[str, float]]:
    [answer] = WordClassifier().classify([text])
    return [(label.label, label.confidence) for label in answer.facets.get(facet, ())]


@pytest.mark.parametrize(
    ("text", "confidence"), [(JAPANESE_INVOICE, 0.5), (ENGLISH_INVOICE, 0.3)], ids=["japanese", "english"]
)
def test_an_invoice_is_labelled_in_either_language_by_the_share_of_its_words(text: str, confidence: float) -> None:
    assert _labels(text) == [("invoice", confidence)]


def test_one_word_of_a_list_is_no_opinion() -> None:
    assert _labels("The invoice was discussed.") == []


def test_a_text_without_any_word_has_no_facet_at_all() -> None:
    [answer] = WordClassifier().classify(["nothing of the kind"])
    assert answer.facets == {}


def test_labels_are_ranked_by_share() -> None:
    text = JAPANESE_INVOICE + "\n見積書の有効期限"
    assert _labels(text) == [("invoice", 0.5), ("quotation", 0.2)]


@pytest.mark.parametrize(
    ("word", "text", "found"),
    [
        ("invoice", "INVOICES enclosed", True),
        ("purchase order", "Purchase\n  Order", True),
        ("請求書", "請 求\n書", True),
        ("アプリ", "ｱﾌﾟﾘ", True),
        ("api", "the capital", False),
        ("api", "capital and API", True),
        ("lease", "release notes", False),
        ("金融", "金融庁", True),
        ("工場", "大工場", True),
    ],
)
def test_a_word_is_found_as_documents_write_it(word: str, text: str, found: bool) -> None:
    assert occurs(folded(word), folded(text)) is found


@pytest.mark.parametrize(
    ("threshold", "text", "carried"),
    [("1", "alpha", True), ("2", "alpha", False), ("2", "alpha beta", True), ("0.5", "alpha", False)],
)
def test_a_threshold_is_a_count_or_a_share(tmp_path: Path, threshold: str, text: str, carried: bool) -> None:
    file = tmp_path / "labels.json"
    words = '["alpha", "beta", "gamma"]'
    file.write_text(f'{{"kind": {{"greek": {{"names": {{"en": "x"}}, "words": {words}, "threshold": {threshold}}}}}}}')
    with overriding({"INDX_CLASSIFIER_WORDS_LABELS": str(file)}):
        assert bool(_labels(text, "kind")) is carried
        assert WordClassifier().descriptor.provides == ("kind",)
        assert str(WordClassifier().descriptor.model).startswith("labels ")


def test_words_that_fold_to_the_same_count_once(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text('{"kind": {"x": {"names": {"en": "x"}, "words": ["ABC", "abc", "ａｂｃ"], "threshold": 2}}}')
    with overriding({"INDX_CLASSIFIER_WORDS_LABELS": str(file)}):
        assert _labels("abc", "kind") == []


def test_a_broken_table_is_a_deployment_fault() -> None:
    with overriding({"INDX_CLASSIFIER_WORDS_LABELS": "/no/such/file"}), pytest.raises(SettingsInvalid):
        WordClassifier().classify(["text"])


def test_it_conforms_to_the_port() -> None:
    check_classifier(WordClassifier(), [JAPANESE_INVOICE, ENGLISH_INVOICE])


def test_it_says_what_it_can_answer_so_that_it_is_skipped_when_all_is_answered() -> None:
    descriptor = WordClassifier().descriptor
    assert descriptor.provides == ("document_type", "business_unit", "industry")
    assert descriptor.units == ("document", "page", "chunk")
    assert descriptor.distribution == "indx-classifier-words"
