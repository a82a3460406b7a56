"""The detector with lingua itself: what it names, what it does not claim to know, and that it repeats itself."""

import importlib.util

import pytest

from indx_core.contracts.errors import SettingsInvalid
from indx_core.engines.language_lingua import CONTRIBUTION
from indx_core.engines.language_lingua.detector import LinguaDetector
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_language_detector

ENGLISH = "The quarterly report shows that sales grew by twelve percent over last year."
JAPANESE = "当四半期の売上高は前年同期に比べて十二パーセント増加しました。"
CHINESE = "本季度报告显示，销售额比去年同期增长了百分之十二，公司对此表示满意。"
TRADITIONAL = "本季度報告顯示，銷售額比去年同期增長了百分之十二，公司對此表示滿意。"
KOREAN = "이번 분기 보고서에 따르면 매출이 작년보다 십이 퍼센트 증가했습니다."
GERMAN = "Der Quartalsbericht zeigt, dass der Umsatz um zwölf Prozent gestiegen ist."
FRENCH = "Le rapport trimestriel montre que les ventes ont augmenté de douze pour cent."
TITLES = "代表取締役社長 代表取締役社長 代表取締役社長"
ADDRESSES = "代表取締役社長 東京都新宿区西新宿二丁目八番一号"

installed = pytest.mark.skipif(importlib.util.find_spec("lingua") is None, reason="the 'lang' extra is not installed")
pytestmark = installed


def _top(*texts: str) -> list[tuple[str, float] | None]:
    answers = LinguaDetector().detect(texts)
    return [(answer[0].language, answer[0].confidence) if answer else None for answer in answers]


def test_it_conforms_to_the_port() -> None:
    samples = [(ENGLISH, "en"), (JAPANESE, "ja"), (CHINESE, "zh"), (TRADITIONAL, "zh"), (KOREAN, "ko")]
    check_language_detector(LinguaDetector(), [*samples, (GERMAN, "de"), (FRENCH, "fr")])


def test_a_page_of_kanji_alone_is_not_chinese() -> None:
    """lingua says Chinese with a confidence of 1.0 in every mode."""
    [top] = _top(ADDRESSES)
    assert top is not None
    assert top[0] == "ja"
    assert 0.5 < top[1] < 1.0, "one telling character is no certainty"


def test_kanji_that_could_be_either_language_are_an_even_bet_with_japanese_first() -> None:
    [answer] = LinguaDetector().detect([TITLES])
    assert [(score.language, score.confidence) for score in answer] == [("ja", 0.5), ("zh", 0.5)]


def test_a_page_that_could_be_either_leans_towards_the_other_pages_of_its_document() -> None:
    japanese, chinese = _top(TITLES, JAPANESE)[0], _top(TITLES, CHINESE)[0]
    assert japanese is not None
    assert chinese is not None
    assert (japanese[0], chinese[0]) == ("ja", "zh")
    assert min(japanese[1], chinese[1]) > 0.9


def test_a_japanese_word_does_not_make_a_chinese_page_japanese() -> None:
    """lingua takes any kana for proof."""
    [top] = _top(CHINESE + "这是日本の品牌")
    assert top is not None
    assert top[0] == "zh"


@pytest.mark.parametrize("text", ["", "   ", "Invoice", "請求書の送付について", "nineteen characters"])
def test_a_text_under_twenty_characters_gets_no_answer(text: str) -> None:
    assert _top(text) == [None]


def test_a_text_without_letters_gets_no_answer() -> None:
    assert _top("1,234,567  8,901,234  56.7 %  ---- ====") == [None]


def test_scores_below_the_floor_are_left_out() -> None:
    mixed = "Rechnung und invoice with Zahlung and payment within dreißig days netto"
    with overriding({"INDX_LANGUAGE_MINIMUM_CONFIDENCE": "0.0"}):
        everything = LinguaDetector().detect([mixed])[0]
    with overriding({"INDX_LANGUAGE_MINIMUM_CONFIDENCE": "0.5"}):
        certain = LinguaDetector().detect([mixed])[0]
    assert len(everything) > len(certain) == 1


def test_answers_are_the_same_in_forty_calls() -> None:
    """lingua's own values differ in their last bits."""
    once = LinguaDetector().detect([ENGLISH, GERMAN, JAPANESE])
    assert all(LinguaDetector().detect([ENGLISH, GERMAN, JAPANESE]) == once for _ in range(40))


def test_a_text_is_named_by_the_candidates_alone() -> None:
    with overriding({"INDX_LANGUAGE_CANDIDATES": "ja, KO"}):
        [top] = _top(JAPANESE)
        assert top is not None
        assert top[0] == "ja"


@pytest.mark.parametrize("value", ["english", "ja,all", "j1"])
def test_a_candidate_that_is_no_code_is_refused_by_its_variable(value: str) -> None:
    with (
        overriding({"INDX_LANGUAGE_CANDIDATES": value}),
        pytest.raises(SettingsInvalid, match="INDX_LANGUAGE_CANDIDATES"),
    ):
        LinguaDetector().detect([ENGLISH])


def test_a_candidate_that_lingua_does_not_know_is_named() -> None:
    with overriding({"INDX_LANGUAGE_CANDIDATES": "en,xx"}), pytest.raises(SettingsInvalid, match="xx"):
        LinguaDetector().detect([ENGLISH])


def test_all_languages_are_considered_when_asked_for() -> None:
    italian = "Il rapporto trimestrale mostra che le vendite sono aumentate del dodici per cento."
    with overriding({"INDX_LANGUAGE_CANDIDATES": "all", "INDX_LANGUAGE_LOW_ACCURACY": "true"}):
        [top] = _top(italian)
    assert top is not None
    assert top[0] == "it"


def test_a_bad_setting_does_not_leave_it_out_of_the_inventory() -> None:
    """Every page would lose its languages without a word; asked, it names the variable."""
    with overriding({"INDX_LANGUAGE_MINIMUM_CONFIDENCE": "2"}):
        (detector,) = build([("it", CONTRIBUTION)]).language_detectors
        with pytest.raises(SettingsInvalid, match="INDX_LANGUAGE_MINIMUM_CONFIDENCE"):
            detector.detect([ENGLISH])


def test_without_its_extra_there_is_no_detector(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [detector.id for detector in build([("it", CONTRIBUTION)]).language_detectors] == ["lingua"]
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert build([("it", CONTRIBUTION)]).language_detectors == ()


@installed
def test_the_languages_it_says_it_finds_are_the_candidates_or_all_that_lingua_knows() -> None:
    from lingua import Language

    assert LinguaDetector().languages == ("de", "en", "es", "fr", "ja", "ko", "zh")
    with overriding({"INDX_LANGUAGE_CANDIDATES": "all"}):
        known = sorted(language.iso_code_639_1.name.lower() for language in Language.all())
        assert LinguaDetector().languages == tuple(known)
