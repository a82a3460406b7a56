"""The enricher every installation has: which sentences it chooses, and what it does where there is nothing to rank."""

import pytest

from indx_core.engines.enrich_extractive.enricher import ExtractiveEnricher
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_enricher

ENGLISH = """Quarterly letter

The weather was pleasant in spring. Sales of industrial pumps grew by a tenth because two chemical plants were built.
Somebody repainted the canteen walls in green. The chemical plants will also need spare parts for their industrial pumps
next year. Lunch is served at noon on most days. Industrial pumps therefore remain the company's largest business.
"""
JAPANESE = """社内報

春の天気は良好であった。化学工場が二棟建設され、産業用ポンプの売上高が一割増加した。食堂の壁が緑色に塗られた。
化学工場では来年も産業用ポンプの交換部品が必要になる。昼食は正午に出る。産業用ポンプは今後も主力事業である。
"""
FORM = "請求書\n請求日 2026年3月31日\n請求番号 118\n合計 330,000円\n"


def _summary(text: str) -> str | None:
    [answer] = ExtractiveEnricher().enrich([text])
    assert answer.parts.tags == ()
    assert answer.cost_usd == 0.0
    return answer.parts.summary


@pytest.mark.parametrize("text", [ENGLISH, JAPANESE], ids=["english", "japanese"])
def test_the_sentences_about_the_texts_subject_are_chosen_in_document_order(text: str) -> None:
    with overriding({"INDX_ENRICH_EXTRACTIVE_SENTENCES": "2"}):
        summary = _summary(text)
    assert summary is not None
    flat = " ".join(text.split()) if text is ENGLISH else text.replace("\n", "")
    first, second = (part for part in _parts(summary))
    assert flat.index(first) < flat.index(second), "verbatim, and in the order of the text"
    assert all("pumps" in part or "ポンプ" in part for part in (first, second))


def _parts(summary: str) -> list[str]:
    stop = "。" if "。" in summary else "."
    return [part.strip() + stop for part in summary.split(stop) if part.strip()]


def test_what_was_said_is_not_said_again() -> None:
    said = "Industrial pumps need spare parts and regular service. " * 3
    with overriding({"INDX_ENRICH_EXTRACTIVE_SENTENCES": "2"}):
        summary = _summary(said + "Industrial pumps were also delivered to four breweries abroad.")
    assert summary is not None
    assert summary.count("spare parts") == 1
    assert "breweries" in summary


def test_a_form_gets_its_leading_lines() -> None:
    assert _summary(FORM) == "請求書\n請求日 2026年3月31日\n請求番号 118"


def test_a_short_sentence_is_taken_where_there_is_no_longer_one() -> None:
    assert _summary("Title\n\nPumps work.") == "Pumps work."


def test_the_summary_has_a_ceiling_and_is_cut_at_white_space() -> None:
    with overriding({"INDX_ENRICH_EXTRACTIVE_MAX_CHARACTERS": "65"}):
        summary = _summary(ENGLISH)
    assert summary is not None
    assert len(summary) <= 65
    assert " ".join(ENGLISH.split()).count(summary) == 1
    assert f"{summary} " in " ".join(ENGLISH.split())


@pytest.mark.parametrize("text", ["", " \n\t\u3000"])
def test_a_blank_text_has_no_summary(text: str) -> None:
    assert _summary(text) is None


@pytest.mark.parametrize("text", ["12 34 56\n78", "。。。", "?!", "🧾"])
def test_a_text_without_vocabulary_still_says_how_it_begins(text: str) -> None:
    assert _summary(text) == "\n".join(text.split("\n"))


def test_it_provides_summaries_alone_so_that_tags_are_left_to_another() -> None:
    descriptor = ExtractiveEnricher().descriptor
    assert (descriptor.id, descriptor.provides) == ("extractive", ("summary",))
    assert descriptor.distribution == "indx-enrich-extractive"


def test_it_conforms_to_the_port() -> None:
    check_enricher(ExtractiveEnricher(), [ENGLISH, JAPANESE, FORM])
