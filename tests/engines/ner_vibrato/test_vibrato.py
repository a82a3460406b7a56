"""Names of several morphemes, the two tokenizers, and texts whose characters tokenizers stumble over."""

import importlib.util
from pathlib import Path

import pytest
from engines.ner_vibrato import mecab_sources
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_vibrato import CONTRIBUTION, mecab
from indx_core.engines.ner_vibrato.extractor import VibratoExtractor
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import TRICKY_TEXTS, check_extractor

pytestmark = pytest.mark.skipif(bool(mecab.missing()), reason="the ja extra is not installed")

EXTRACTOR = VibratoExtractor()
DEBIAN_SOURCES = Path("/usr/share/mecab/dic/ipadic")


def found(text: str) -> list[tuple[str, str]]:
    return [(span.label, span.surface) for span in EXTRACTOR.extract([text])[0].spans]


def test_it_conforms() -> None:
    check_extractor(EXTRACTOR, ["任天堂株式会社の山田太郎が京都市で"])


@pytest.mark.parametrize(
    "name",
    [
        "任天堂株式会社",
        "株式会社インデックス",
        "株式会社　インデックス",
        "（株）日立製作所",
        "(株)日立製作所",
        "㈱リコー",
        "ソニーグループ株式会社",
        "ＡＣＭＥ株式会社",
        "Google Japan合同会社",
        "有限会社田中商店",
        "三菱UFJ銀行",
        "東京大学",
        "京都大学大学院",
        "国立大学法人京都大学",
        "独立行政法人情報処理推進機構",
        "一般社団法人日本経済団体連合会",
        "株式会社東京証券取引所",
        "経済産業省",
        "国土交通省",
        "総務省",
        "有限責任監査法人トーマツ",
        "EY新日本有限責任監査法人",
        "株式会社セブン&アイ・ホールディングス",
        "国税庁",
        "横浜市役所",
        "日本商工会議所",
        "田中商店",
        "A社",
    ],
)
def test_the_nouns_of_one_organisation_are_one_entity(name: str) -> None:
    """Taken one by one, 任天堂 and 株式会社 are a name and a common noun, and neither is the company."""
    assert found(f"本日、{name}は発表した。") == [("organization", name)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("株式会社の設立", []),
        ("地方銀行と学校法人", []),
        ("取引先株式会社インデックス御中", [("organization", "株式会社インデックス")]),
        ("トヨタ自動車株式会社代表取締役社長", [("organization", "トヨタ自動車株式会社")]),
        ("富士通株式会社川崎工場", [("organization", "富士通株式会社"), ("location", "川崎")]),
        ("中国・雲南省", [("location", "中国"), ("location", "雲南省")]),
        ("小池晃参院", [("person", "小池晃"), ("organization", "参院")]),
        ("INV-2026 keiri@index.jp", []),
    ],
)
def test_an_organisation_begins_and_ends_with_its_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("山田太郎と会った", ["山田太郎"]),
        ("山田 太郎", ["山田 太郎"]),
        ("島田　明", ["島田　明"]),
        ("山田さんと鈴木さん", ["山田", "鈴木"]),
        ("高橋陽斗", ["高橋陽斗"]),
        ("坂本龍馬は", ["坂本龍馬"]),
        ("原辰徳です", ["原辰徳"]),
        ("高橋大翔様", ["高橋大翔"]),
        ("スティーブ・ジョブズは", ["スティーブ・ジョブズ"]),
        ("バラク・オバマ大統領", ["バラク・オバマ"]),
        ("お客様", []),
    ],
)
def test_family_and_given_name_are_one_person(text: str, names: list[str]) -> None:
    assert found(text) == [("person", name) for name in names]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("東京都千代田区丸の内二丁目7番2号", ["東京都千代田区丸の内"]),
        ("神奈川県川崎市中原区上小田中", ["神奈川県川崎市中原区上小田中"]),
        ("東京駅で", ["東京駅"]),
        ("アメリカ合衆国から日本へ", ["アメリカ合衆国", "日本"]),
        ("日米露", []),
    ],
)
def test_an_address_is_one_place(text: str, places: list[str]) -> None:
    assert found(text) == [("location", place) for place in places]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("🧾👩\u200d👩\u200d👧 任天堂株式会社", 7),
        ("𠮷野家 任天堂株式会社", 4),
        ("  \t任天堂株式会社", 3),
        ("一行目\r\n任天堂株式会社", 5),
        ("一行目\u2028任天堂株式会社", 4),
        ("\x00\ud800任天堂株式会社", 2),
        ("か\u3099っこう、任天堂株式会社", 6),
        ("あ\u0301、任天堂株式会社", 3),
    ],
)
def test_offsets_are_those_of_the_text_as_it_stands(text: str, start: int) -> None:
    """White space is not among MeCab's tokens, NUL would end the text, and kana with marks are joined for it."""
    (span,) = (span for span in EXTRACTOR.extract([text])[0].spans if span.label == "organization")
    assert (span.start, span.end, span.surface) == (start, start + 7, "任天堂株式会社")


def test_kana_and_mark_beside_each_other_are_read_as_one_character() -> None:
    assert found("株式会社カ\u3099ス") == [("organization", "株式会社カ\u3099ス")]


def test_a_name_does_not_go_over_a_line_end() -> None:
    assert found("任天堂\n株式会社") == [("organization", "任天堂")]


def test_a_line_longer_than_a_piece_is_cut_between_words() -> None:
    text = "任天堂株式会社は、" * 1500
    assert found(text) == [("organization", "任天堂株式会社")] * 1500


@pytest.mark.parametrize("word", ["経済", "銀行", "株式会社", "山", "任天堂", "・"])
def test_touching_nouns_without_end_cost_no_more_than_their_length(word: str) -> None:
    """A name has a longest length: without it, 5,000 characters of one noun take minutes."""
    assert EXTRACTOR.extract([word * (5_000 // len(word))])


@settings(max_examples=40, deadline=None)
@given(
    st.text(
        st.sampled_from("任天堂株式会社山田太郎東京都市（株）㈱・ \u3000\n。は銀行か\u3099🧾𠮷A\x00\ud800"), max_size=40
    )
)
def test_spans_are_those_of_the_text_and_never_overlap(text: str) -> None:
    end = 0
    for span in EXTRACTOR.extract([text])[0].spans:
        assert end <= span.start
        assert text[span.start : span.end] == span.surface
        end = span.end


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).extractors)
    assert not descriptor.available
    assert descriptor.unavailable_reason == "install the 'ja' extra; missing: fugashi, ipadic"
    with pytest.raises(CapabilityUnavailable, match="'ja' extra; missing: fugashi, ipadic"):
        EXTRACTOR.extract(["任天堂"])


@pytest.mark.skipif(importlib.util.find_spec("vibrato") is None, reason="vibrato is not installed")
class TestANamedDictionary:
    @pytest.mark.parametrize("encoding", ["euc_jp", "utf-8"])
    def test_sources_of_mecab_give_the_spans_of_the_packaged_dictionary(self, tmp_path: Path, encoding: str) -> None:
        texts = ["任天堂株式会社は京都市の山田 太郎と", "株式会社ABC は、京都市　と任天堂", "山田太郎\n任天堂"]
        packaged = EXTRACTOR.extract(texts)
        with named(mecab_sources.write(tmp_path / "source", encoding)):
            assert EXTRACTOR.extract(texts) == packaged
            assert (EXTRACTOR.descriptor.model or "").startswith("source@")
            assert VibratoExtractor().descriptor.available

    def test_it_conforms(self, tmp_path: Path) -> None:
        with named(mecab_sources.write(tmp_path / "source")):
            check_extractor(EXTRACTOR, ["任天堂株式会社"])

    def test_another_dictionary_is_another_model_of_the_descriptor(self, tmp_path: Path) -> None:
        """Data versions hold the descriptor, so that another dictionary makes its annotations stale."""
        models = {EXTRACTOR.descriptor.model}
        for folder, encoding in (("one", "euc_jp"), ("other", "utf-8")):
            with named(mecab_sources.write(tmp_path / folder, encoding)):
                models.add((EXTRACTOR.descriptor.model or "").partition("@")[2])
        assert len(models) == 3

    @pytest.mark.slow
    @pytest.mark.skipif(not DEBIAN_SOURCES.is_dir(), reason="Debian's package mecab-ipadic is not installed")
    def test_the_whole_of_ipadic_gives_the_spans_of_the_packaged_dictionary(self) -> None:
        texts = ["任天堂株式会社の山田　太郎、三菱UFJ銀行、東京都千代田区", *TRICKY_TEXTS]
        packaged = EXTRACTOR.extract(texts)
        with named(DEBIAN_SOURCES):
            assert EXTRACTOR.extract(texts) == packaged

    @pytest.mark.parametrize("name", ["system.dic", "system.dic.zst"])
    @pytest.mark.parametrize(("content", "reason"), [(None, "No such file"), (b"not a dictionary", "")])
    def test_what_is_no_dictionary_is_refused(
        self, tmp_path: Path, name: str, content: bytes | None, reason: str
    ) -> None:
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        with named(file), pytest.raises(CapabilityUnavailable, match=f"INDX_NER_VIBRATO_DICTIONARY: .*{reason}") as got:
            EXTRACTOR.extract(["任天堂"])
        assert str(tmp_path) not in got.value.message

    def test_an_incomplete_source_folder_is_refused(self, tmp_path: Path) -> None:
        folder = mecab_sources.write(tmp_path / "source")
        (folder / "unk.def").unlink()
        with named(folder), pytest.raises(CapabilityUnavailable, match="No such file"):
            EXTRACTOR.extract(["任天堂"])


def named(path: Path):
    return overriding({"INDX_NER_VIBRATO_DICTIONARY": str(path)})
