"""Sentences of Japanese and English text as pages break it."""

import pytest

from indx_core.engines.enrich_extractive.sentences import joined, lines, sentences
from indx_core.engines.enrich_extractive.terms import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One ends. Two ends! Three?", ["One ends.", "Two ends!", "Three?"]),
        ("一つ目です。二つ目です！", ["一つ目です。", "二つ目です！"]),
        ("横組みである．縦組みもある．", ["横組みである．", "縦組みもある．"]),
        ("固定されていた. pTeX では変える.", ["固定されていた.", "pTeX では変える."]),
        ("He said “go.” They went.", ["He said “go.”", "They went."]),
        ("「はい。」と答えた。帰った。", ["「はい。」と答えた。", "帰った。"]),
        ("「帰ります。」彼は言った。", ["「帰ります。」", "彼は言った。"]),
        ("Dr. Smith of Acme Inc. paid $3.50, i.e. all of it.", ["Dr. Smith of Acme Inc. paid $3.50, i.e. all of it."]),
        ("See J. Doe, No. 5, at example.com today.", ["See J. Doe, No. 5, at example.com today."]),
        ("No full stop at the end", []),
        ("Heading\n\nA sentence stands here.", ["A sentence stands here."]),
        ("", []),
        (". . .", []),
    ],
)
def test_a_sentence_ends_at_a_terminator_of_either_language(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_lines_broken_by_the_page_are_joined_with_a_space_in_english() -> None:
    text = "The committee decided on Tuesday to\nreplace the pump before the end of\nthe year."
    assert sentences(text) == ["The committee decided on Tuesday to replace the pump before the end of the year."]


def test_lines_broken_by_the_page_are_joined_without_one_in_japanese() -> None:
    text = "委員会は火曜日に年末までにポンプを交\r\n換することを決定した。"
    assert sentences(text) == ["委員会は火曜日に年末までにポンプを交換することを決定した。"]


def test_a_heading_above_a_paragraph_stays_out_of_its_sentence() -> None:
    text = "Summary\nThe committee decided on Tuesday to replace the pump before the year ends."
    assert sentences(text) == ["The committee decided on Tuesday to replace the pump before the year ends."]


def test_a_short_line_of_japanese_is_a_heading_where_the_page_would_have_filled_it() -> None:
    text = "請求書 株式会社サンプル 御中\nご請求金額の合計は三十三万円です。お支払期限までにお支払いください。"
    assert sentences(text)[0] == "ご請求金額の合計は三十三万円です。"


def test_fields_of_a_form_are_no_sentences() -> None:
    assert sentences("Name: Doe\nDate: 2026-03-31\nTotal: 1,200\n氏名 山田太郎\n住所 東京都") == []


def test_the_rest_of_a_sentence_whose_beginning_stands_elsewhere_is_none() -> None:
    assert sentences("and was replaced. The new pump works.") == ["The new pump works."]
    assert sentences("ってしまった。新しいポンプは動く。") == ["新しいポンプは動く。"]


@pytest.mark.parametrize("gap", ["\r\n", "\r", "\x0b", "\u2028"])
def test_every_kind_of_line_break_is_one(gap: str) -> None:
    assert lines(f"one{gap}two\x0cthree") == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        (["終わり。", "次は"], "終わり。次は"),
        (["end.", "Next", "one"], "end. Next one"),
        (["終わり。", "Next"], "終わり。 Next"),
        (["x"], "x"),
    ],
)
def test_pieces_are_joined_by_what_stands_on_both_sides(pieces: list[str], whole: str) -> None:
    assert joined(pieces) == whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The report and THE Reports", ["report", "reports"]),
        ("株式会社の報告", ["株式", "式会", "会社", "報告"]),
        ("サーバーを再起動", ["サーバー", "再起", "起動"]),
        ("ｻｰﾊﾞｰ", ["サーバー"]),
        ("2026年 a b １２", []),
        ("отчёт за год", ["отчёт", "год"]),
    ],
)
def test_the_vocabulary_is_what_a_text_is_about(text: str, expected: list[str]) -> None:
    assert terms(text) == expected
