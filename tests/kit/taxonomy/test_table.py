"""The label table: what is shipped, the operator's own in its place, and what is refused."""

import json
from pathlib import Path

import pytest

from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.taxonomy.table import Entry, taxonomy

VARIABLE = "INDX_SOME_LABELS"


def test_three_tables_are_shipped_with_the_stated_numbers_of_labels() -> None:
    facets = taxonomy(None, VARIABLE).facets
    assert {facet: len(labels) for facet, labels in facets.items()} == {
        "document_type": 20,
        "business_unit": 12,
        "industry": 14,
    }


@pytest.mark.parametrize(
    ("facet", "label", "japanese"),
    [
        ("document_type", "invoice", "請求書"),
        ("document_type", "quotation", "見積書"),
        ("document_type", "contract", "契約書"),
        ("document_type", "annual_securities_report", "有価証券報告書"),
        ("document_type", "approval_request", "稟議書"),
        ("business_unit", "sales", "営業"),
        ("business_unit", "finance", "経理・財務"),
        ("business_unit", "human_resources", "人事"),
        ("business_unit", "legal", "法務"),
        ("industry", "manufacturing", "製造業"),
        ("industry", "finance", "金融"),
        ("industry", "real_estate", "不動産"),
        ("industry", "construction", "建設"),
        ("industry", "government", "官公庁・自治体"),
    ],
)
def test_the_labels_people_were_promised_are_there(facet: str, label: str, japanese: str) -> None:
    assert taxonomy(None, VARIABLE).facets[facet][label].names["ja"] == japanese


def test_every_shipped_label_has_both_names_and_words_of_both_languages() -> None:
    for labels in taxonomy(None, VARIABLE).facets.values():
        for label, entry in labels.items():
            assert set(entry.names) == {"ja", "en"}, label
            english = sum(word.isascii() for word in entry.words)
            assert (english, len(entry.words) - english) == (5, 5), f"{label}: shares compare only over equal lists"


def test_no_two_labels_of_a_facet_have_the_same_words_or_names() -> None:
    for labels in taxonomy(None, VARIABLE).facets.values():
        for attribute in ("words", "title"):
            values = [getattr(entry, attribute) for entry in labels.values()]
            assert len(values) == len(set(values))


def test_an_operators_table_replaces_the_shipped_one_whole(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text('{"kind": {"memo": {"names": {"ja": "メモ"}, "words": ["memo"], "threshold": 0.5}}}')
    table = taxonomy(str(file), VARIABLE)
    assert list(table.facets) == ["kind"]
    assert table.facets["kind"]["memo"] == Entry(names={"ja": "メモ"}, words=("memo",), threshold=0.5)


def test_another_table_is_another_classifier(tmp_path: Path) -> None:
    """Its content is part of what a descriptor names, so a changed label makes annotations stale."""
    file = tmp_path / "labels.json"
    file.write_text('{"kind": {"memo": {"names": {"en": "memo"}}}}')
    first = taxonomy(str(file), VARIABLE)
    file.write_text('{"kind": {"note": {"names": {"en": "note"}}}}')
    second = taxonomy(str(file), VARIABLE)
    assert first.stamp("a-model") != second.stamp("a-model")
    assert str(second.stamp("a-model")).startswith("a-model, labels ")
    assert taxonomy(None, VARIABLE).stamp("a-model") == "a-model"


@pytest.mark.parametrize(
    ("names", "title"),
    [({"ja": "請求書", "en": "invoice"}, "invoice (請求書)"), ({"ja": "請求書"}, "請求書"), ({"en": "memo"}, "memo")],
)
def test_a_label_is_shown_to_models_by_all_its_names(names: dict[str, str], title: str) -> None:
    assert Entry(names=names).title == title


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        '{"kind": {"memo": {}}}',
        '{"kind": {"memo": {"names": {}}}}',
        '{"kind": {"memo": {"names": {"en": "memo"}, "word": ["x"]}}}',
        '{"kind": {"memo": {"names": {"en": "memo"}, "words": [" "]}}}',
        '{"kind": {"memo": {"names": {"en": "memo"}, "threshold": 0}}}',
        '{"kind": {"memo": {"names": {"en": "memo"}, "threshold": 1.5}}}',
        '{"kind": {"memo": {"names": {"en": "memo"}, "threshold": "2"}}}',
    ],
)
def test_what_is_no_label_table_is_refused_by_the_variable_and_not_by_its_path(tmp_path: Path, content: str) -> None:
    file = tmp_path / "labels.json"
    file.write_text(content)
    with pytest.raises(SettingsInvalid, match=f"{VARIABLE}: not a label table") as caught:
        taxonomy(str(file), VARIABLE)
    assert str(tmp_path) not in caught.value.message


def test_a_table_that_is_not_there_is_refused_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(SettingsInvalid, match="cannot be read") as caught:
        taxonomy(str(tmp_path / "secret.json"), VARIABLE)
    assert "secret" not in caught.value.message


def test_a_shipped_table_is_a_valid_file_for_an_operator_to_start_from(tmp_path: Path) -> None:
    from importlib.resources import files

    for name in ("document_type", "business_unit", "industry"):
        source = files("indx_core.kit.taxonomy").joinpath(f"{name}.json")
        assert taxonomy(str(source), VARIABLE).facets[name] == taxonomy(None, VARIABLE).facets[name]
        assert list(json.loads(source.read_text(encoding="utf-8"))) == [name]
