"""A deployment's own names beside the shipped patterns."""

import json
from pathlib import Path

import pytest

from indx_core.contracts.errors import SettingsInvalid
from indx_core.engines.ner_patterns.extractor import PatternsExtractor
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_extractor

EXTRACTOR = PatternsExtractor()


def found(path: Path, text: str) -> list[tuple[str, str]]:
    with overriding({"INDX_NER_PATTERNS_GAZETTEER": str(path)}):
        return [(span.label, span.surface) for span in EXTRACTOR.extract([text])[0].spans]


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    path = tmp_path / "names.json"
    names = {"customer": ["任天堂", "任天堂販売", "Acme", "か\u3099くや"], "product": ["Acme One", "𠮷", "Acme"]}
    path.write_text(json.dumps(names), encoding="utf-8")
    return path


def test_the_longest_listed_surface_has_the_place(listed: Path) -> None:
    assert found(listed, "任天堂販売と任天堂、Acme One") == [
        ("customer", "任天堂販売"),
        ("customer", "任天堂"),
        ("product", "Acme One"),
    ]


def test_a_surface_of_two_labels_goes_to_the_first(listed: Path) -> None:
    assert found(listed, "Acme.") == [("customer", "Acme")]


def test_a_surface_is_matched_as_it_is_written(listed: Path) -> None:
    """Literally: another case, width or composition of the same letters is another surface."""
    assert found(listed, "acme ＡＣＭＥ がくや") == []
    assert found(listed, "か\u3099くや𠮷") == [("customer", "か\u3099くや"), ("product", "𠮷")]


def test_a_surface_is_not_found_inside_a_longer_ascii_word(listed: Path) -> None:
    assert found(listed, "Acmes TheAcme") == []
    assert found(listed, "新Acme社") == [("customer", "Acme")]


def test_a_pattern_around_a_listed_name_stays_whole(listed: Path) -> None:
    assert found(listed, "info@Acme.example") == [("email", "info@Acme.example")]


def test_with_a_list_of_names_it_conforms_and_its_labels_are_open(listed: Path) -> None:
    with overriding({"INDX_NER_PATTERNS_GAZETTEER": str(listed)}):
        check_extractor(EXTRACTOR, ["任天堂 2026年"])
        assert EXTRACTOR.descriptor.provides == ()


def test_a_changed_file_counts_at_once(listed: Path) -> None:
    assert found(listed, "Globex") == []
    listed.write_text('{"customer": ["Globex"]}', encoding="utf-8")
    assert found(listed, "Globex") == [("customer", "Globex")]


def test_another_list_is_another_model_of_the_descriptor(listed: Path) -> None:
    """Data versions hold the descriptor, so that an edited list makes its annotations stale."""

    def model() -> str | None:
        with overriding({"INDX_NER_PATTERNS_GAZETTEER": str(listed)}):
            return EXTRACTOR.descriptor.model

    before = model()
    listed.write_text('{"customer": ["Globex"]}', encoding="utf-8")
    assert model() != before
    listed.unlink()
    assert model() is None
    assert EXTRACTOR.descriptor.model is None


def test_an_empty_list_finds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text('{"customer": []}')
    assert found(path, "任天堂") == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON in UTF-8"),
        (b"[]", "not a JSON object"),
        (b'{"a": "b"}', "list of non-empty strings"),
        (b'{"a": [""]}', "list of non-empty strings"),
        (b'{"a b": []}', "white space"),
    ],
)
def test_a_broken_list_is_refused_by_the_name_of_its_variable(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "names.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsInvalid, match=f"INDX_NER_PATTERNS_GAZETTEER: .*{reason}") as caught:
        found(path, "text")
    assert str(tmp_path) not in caught.value.message
