"""The token-classification lane on a real, tiny model: windows, tags, offsets, and what it refuses."""

import importlib.util
from pathlib import Path

import pytest

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_onnx import CONTRIBUTION
from indx_core.engines.ner_onnx.extractor import OnnxExtractor
from indx_core.engines.ner_onnx.tags import Tagged, spans
from indx_core.engines.ner_onnx.windows import halves, windows
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import check_extractor

for package in ("onnx", "onnxruntime", "tokenizers"):
    pytest.importorskip(package)
from engines.ner_onnx import toy_model  # noqa: E402

EXTRACTOR = OnnxExtractor()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model.write(tmp_path_factory.mktemp("models") / "toy")


@pytest.fixture
def model(folder: Path):
    with overriding({"INDX_NER_ONNX_MODEL": str(folder)}):
        yield folder


def found(text: str) -> list[tuple[str, str, int]]:
    return [(span.label, span.surface, span.start) for span in EXTRACTOR.extract([text])[0].spans]


@pytest.mark.usefixtures("model")
def test_it_conforms() -> None:
    check_extractor(EXTRACTOR, ["Alice Tanaka works at Nintendo in Kyoto"])


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Alice Tanaka works at Nintendo in Kyoto",
            [("person", "Alice Tanaka", 0), ("organization", "Nintendo", 22), ("location", "Kyoto", 34)],
        ),
        ("本社は任天堂。", [("organization", "任天堂", 3)]),
        ("𠮷🇯🇵 Kyoto", [("location", "Kyoto", 4)]),
        ("\ud800 Kyoto", [("location", "Kyoto", 2)]),
        ("🧾", [("date", "🧾", 0)]),
        ("Tanaka", [("person", "Tanaka", 0)]),
        ("Osaka Kyoto", [("location", "Osaka", 0), ("location", "Kyoto", 6)]),
        ("Nintendo Nintendo", [("organization", "Nintendo", 0), ("organization", "Nintendo", 9)]),
        ("maybe", []),
        ("", []),
    ],
)
def test_spans_stand_at_their_characters(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert found(text) == expected


@pytest.mark.usefixtures("model")
def test_a_span_needs_the_mean_score_that_the_setting_asks() -> None:
    with overriding({"INDX_NER_ONNX_MINIMUM_CONFIDENCE": "0.1"}):
        assert found("maybe") == [("organization", "maybe", 0)]


@pytest.mark.usefixtures("model")
def test_spans_beyond_the_first_window_have_offsets_of_the_whole_text() -> None:
    text = "word " * 300 + "Kyoto " + "語" * 900 + "任天堂"
    assert found(text) == [("location", "Kyoto", 1500), ("organization", "任天堂", len(text) - 3)]


@pytest.mark.usefixtures("model")
def test_a_window_of_too_many_tokens_is_shown_in_halves_and_not_cut_off() -> None:
    with overriding({"INDX_NER_ONNX_MAX_TOKENS": "12"}):
        assert found("語" * 350 + "、任天堂")[-1] == ("organization", "任天堂", 351)


@pytest.mark.parametrize("size", [8, 13, 400])
@pytest.mark.parametrize(
    "text", ["", "a", "one two three four five six", "請求書、領収書。契約書" * 9, "か\u3099" * 40]
)
def test_windows_cover_the_text_and_keep_their_size(text: str, size: int) -> None:
    cuts = list(windows(text, size))
    assert "".join(text[start:end] for start, end in cuts) == text
    assert all(0 < end - start <= size for start, end in cuts)
    assert not any(text[start] == "\u3099" for start, _end in cuts)


def test_a_window_ends_at_white_space_or_behind_a_pause() -> None:
    assert list(windows("one two three", 9)) == [(0, 7), (7, 13)]
    assert list(windows("請求書、領収書と契約", 6)) == [(0, 4), (4, 10)]
    assert list(halves("one two", 0, 7)) == [(0, 3), (3, 7)]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("B-PER I-PER O B-LOC", ["person:0-2", "location:3-4"]),
        ("B-PER B-PER", ["person:0-1", "person:1-2"]),
        ("I-PER I-PER", ["person:0-2"]),
        ("I-PER I-ORG", ["person:0-1", "organization:1-2"]),
        ("S-ORG S-ORG", ["organization:0-1", "organization:1-2"]),
        ("B-ORG E-ORG I-ORG", ["organization:0-2", "organization:2-3"]),
        ("U-LOC B-LOC L-LOC", ["location:0-1", "location:1-3"]),
        ("PER PER O PER", ["person:0-2", "person:3-4"]),
        ("B-GPE B-MISC", ["location:0-1", "misc:1-2"]),
        ("O O", []),
    ],
)
def test_tags_of_every_scheme_become_spans(tags: str, expected: list[str]) -> None:
    tokens = [Tagged(tag, at, at + 1, 0.5) for at, tag in enumerate(tags.split())]
    assert [f"{span.label}:{span.start}-{span.end}" for span in spans(tokens)] == expected


def test_the_confidence_of_a_span_is_the_mean_of_its_tokens() -> None:
    (span,) = spans([Tagged("B-PER", 0, 1, 0.9), Tagged("I-PER", 1, 2, 0.6)])
    assert span.score == pytest.approx(0.75)


@pytest.mark.usefixtures("model")
def test_the_descriptor_names_the_model_and_not_its_path() -> None:
    assert (EXTRACTOR.descriptor.model or "").split("@")[0] == "toy"


@pytest.mark.parametrize(
    ("broken", "content", "reason"),
    [
        ("config.json", b"{}", "cannot be loaded"),
        ("tokenizer.json", b"{", "cannot be loaded"),
        ("onnx/model_quantized.onnx", b"x", "cannot be loaded"),
        ("onnx/model_quantized.onnx", None, "lacks onnx/model_quantized"),
    ],
)
def test_a_folder_that_is_no_such_model_is_refused(
    tmp_path: Path, broken: str, content: bytes | None, reason: str
) -> None:
    folder = toy_model.write(tmp_path / "toy")
    (folder / broken).unlink() if content is None else (folder / broken).write_bytes(content)
    with overriding({"INDX_NER_ONNX_MODEL": str(folder)}), pytest.raises(CapabilityUnavailable, match=reason) as caught:
        EXTRACTOR.extract(["Kyoto"])
    assert str(tmp_path) not in caught.value.message


def test_a_model_that_is_not_here_is_refused_and_not_fetched(tmp_path: Path) -> None:
    with (
        overriding({"INDX_NER_ONNX_MODEL": "example/none"}),
        pytest.raises(CapabilityUnavailable, match="example/none"),
    ):
        EXTRACTOR.extract(["Kyoto"])


def test_a_lane_without_its_model_is_advertised_as_unavailable_with_what_to_do() -> None:
    with overriding({"INDX_NER_ONNX_MODEL": "example/none"}):
        (descriptor,) = (each.descriptor for each in build([("it", CONTRIBUTION)]).extractors)
    assert not descriptor.available
    assert "set INDX_NER_ONNX_MODEL to a folder that holds it" in (descriptor.unavailable_reason or "")


def test_a_folder_that_lacks_a_file_is_named_with_the_file(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes((folder / "config.json").read_bytes())
    with overriding({"INDX_NER_ONNX_MODEL": str(tmp_path)}):
        reason = EXTRACTOR.descriptor.unavailable_reason or ""
    assert "lacks onnx/model_quantized.onnx, tokenizer.json" in reason
    assert str(tmp_path) not in reason


@pytest.mark.usefixtures("model")
def test_a_lane_with_its_model_is_available() -> None:
    assert EXTRACTOR.descriptor.available


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert EXTRACTOR.descriptor.unavailable_reason == "install the 'ner' extra; missing: onnxruntime, tokenizers"
    with pytest.raises(CapabilityUnavailable, match="'ner' extra; missing: onnxruntime, tokenizers"):
        EXTRACTOR.extract(["Kyoto"])
