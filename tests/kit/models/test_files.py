"""Where model files are found. No test reaches a network: the hub's client is told to look on this machine only."""

from pathlib import Path

import pytest

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.kit.models.files import fingerprint, model_label, resolve_model
from indx_core.kit.settings import overriding


def test_a_local_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"weights")
    assert resolve_model("lane", str(tmp_path), ["model.onnx"]) == tmp_path


def test_a_folder_without_its_files_is_refused_by_their_names_and_not_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(CapabilityUnavailable, match=r"lane: the model folder lacks model\.onnx") as caught:
        resolve_model("lane", str(tmp_path), ["model.onnx"])
    assert str(tmp_path) not in caught.value.message


def test_a_hub_model_that_is_not_here_is_refused_at_once_and_the_variable_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking for it on the network took 39 seconds to fail; local files only take none."""
    pytest.importorskip("huggingface_hub")
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(CapabilityUnavailable, match="nobody/no-such-model is not on this machine") as caught:
        resolve_model("lane", "nobody/no-such-model", ["model.onnx"])
    assert "INDX_MODEL_DOWNLOADS=true" in caught.value.remedy


def test_a_revision_pins_a_commit_of_a_model_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("huggingface_hub")
    import huggingface_hub.constants

    commit = "a" * 40
    snapshot = tmp_path / "models--owner--name" / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (snapshot / "model.onnx").write_bytes(b"weights")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path))
    assert resolve_model("lane", f"owner/name@{commit}", ["model.onnx"]) == snapshot
    with pytest.raises(CapabilityUnavailable):
        resolve_model("lane", f"owner/name@{'b' * 40}", ["model.onnx"])


def test_a_folder_is_called_by_its_name_and_its_weights_never_by_its_path(tmp_path: Path) -> None:
    folder = tmp_path / "tiny-nli"
    folder.mkdir()
    assert model_label("owner/name", "model.onnx") == "owner/name"
    assert model_label(str(folder), "model.onnx") == "tiny-nli"
    (folder / "model.onnx").write_bytes(b"one")
    first = model_label(str(folder), "model.onnx")
    (folder / "model.onnx").write_bytes(b"two")
    assert first.startswith("tiny-nli@")
    assert model_label(str(folder), "model.onnx") != first


@pytest.mark.parametrize("changed", [0, 3_999_999])
def test_a_fingerprint_sees_both_ends_of_a_large_file(tmp_path: Path, changed: int) -> None:
    data = bytearray(4_000_000)
    file = tmp_path / "weights"
    file.write_bytes(data)
    before = fingerprint(file)
    data[changed] = 1
    file.write_bytes(data)
    assert fingerprint(file) != before


@pytest.mark.parametrize(("setting", "local_only"), [("", True), ("true", False)])
def test_the_hub_is_asked_only_where_the_setting_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str, local_only: bool
) -> None:
    huggingface_hub = pytest.importorskip("huggingface_hub")
    asked: list[dict[str, object]] = []

    def hub(name: str, **arguments: object) -> str:
        asked.append({"name": name, **arguments})
        (tmp_path / "model.onnx").write_bytes(b"weights")
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", hub)
    with overriding({"INDX_MODEL_DOWNLOADS": setting}):
        assert resolve_model("lane", "owner/name@abc", ["model.onnx"]) == tmp_path
    expected = {"name": "owner/name", "revision": "abc", "allow_patterns": ["model.onnx"]}
    assert asked == [expected | {"local_files_only": local_only}]


def test_a_download_that_fails_says_so_and_nothing_of_the_hubs_words(monkeypatch: pytest.MonkeyPatch) -> None:
    huggingface_hub = pytest.importorskip("huggingface_hub")

    def hub(*_arguments: object, **_named: object) -> str:
        raise ConnectionError("token hf_secret refused by 10.0.0.1")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", hub)
    with (
        overriding({"INDX_MODEL_DOWNLOADS": "true"}),
        pytest.raises(CapabilityUnavailable, match="could not be fetched") as caught,
    ):
        resolve_model("lane", "owner/name", ["model.onnx"])
    assert "secret" not in caught.value.message
