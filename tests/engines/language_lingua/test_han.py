"""Japanese or Chinese by shared characters: the table of the trap that statistics alone fall into."""

import pytest

from indx_core.engines.language_lingua.han import Evidence, evidence


@pytest.mark.parametrize(
    "text",
    [
        "専務取締役 鈴木一郎 監査役 田中次郎",
        "東京都新宿区西新宿二丁目",
        "株式会社日本経済新聞社",
        "売上高 営業利益 経常利益 当期純利益",
        "履歴書 氏名 生年月日 住所 電話番号 学歴 職歴",
        "請求番号 合計金額 消費税 小計 品名 数量 単価",
        "委員会設置会社 監査法人 第一部 企業情報",
    ],
)
def test_kanji_alone_show_themselves_japanese(text: str) -> None:
    """Each holds a character that simplified Chinese lacks and one that traditional Chinese lacks."""
    found = evidence(text)
    assert found.japanese > 0
    assert found.chinese == 0


@pytest.mark.parametrize(
    "text",
    [
        "我们在北京的公司今天发布了新产品",
        "公司简介 经营范围 注册资本",
        "人民日报 北京大学 中国银行",
        "我們在台北的公司今天發布了新產品",
        "國立臺灣大學圖書館",
        "董事長 總經理 監察人 財務長",
    ],
)
def test_simplified_and_traditional_chinese_show_characters_that_are_no_everyday_kanji(text: str) -> None:
    found = evidence(text)
    assert found.chinese > 0
    assert found.japanese == 0


@pytest.mark.parametrize("text", ["代表取締役社長", "平成三十一年三月期", "", "12,345 abc", "한국어", "・・ーー"])
def test_what_could_be_either_speaks_for_neither(text: str) -> None:
    assert evidence(text) == Evidence(0, 0)


def test_kana_of_every_width_speak_for_japanese() -> None:
    assert evidence("ひらカタﾊﾝ") == Evidence(6, 0)


def test_evidence_adds_up_over_pages() -> None:
    assert sum([evidence("かな"), evidence("们")], Evidence(0, 0)) == Evidence(2, 1)
