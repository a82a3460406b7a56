"""The fastembed spaces on tiny functional models, through fastembed's own classes; and what a missing model says."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from indx_core.contracts.capability import EmbedderRole, Modality
from indx_core.contracts.errors import CapabilityUnavailable, ModalityUnsupported, SourceUnreadable
from indx_core.engines.embed_fastembed import CONTRIBUTION
from indx_core.engines.embed_fastembed.embedder import FastembedEmbedder
from indx_core.engines.embed_fastembed.models import CLIP_IMAGE, CLIP_TEXT, MINILM
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.planning.snapshot import take
from indx_core.testing.conformance import TRICKY_TEXTS, check_embedder

pytest.importorskip("fastembed", reason="the fastembed extra is not installed")
pytest.importorskip("onnx", reason="onnx is not installed, which the models of these tests are built with")
from engines.embed_fastembed import toy_models

DOCUMENT, QUERY = EmbedderRole.DOCUMENT, EmbedderRole.QUERY
MINILM_EMBEDDER, TEXT, IMAGE = (FastembedEmbedder(model) for model in (MINILM, CLIP_TEXT, CLIP_IMAGE))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    root = tmp_path_factory.mktemp("models")
    return {
        "INDX_EMBED_FASTEMBED_MINILM": str(toy_models.minilm(root / "minilm")),
        "INDX_EMBED_FASTEMBED_CLIP_TEXT": str(toy_models.clip_text(root / "clip-text")),
        "INDX_EMBED_FASTEMBED_CLIP_IMAGE": str(toy_models.clip_image(root / "clip-image")),
    }


@pytest.fixture
def installed(models: dict[str, str]):
    with overriding(models):
        yield


def page(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 400), colour).save(out, "PNG")
    return out.getvalue()


@pytest.mark.usefixtures("installed")
def test_the_embedders_conform() -> None:
    check_embedder(MINILM_EMBEDDER, ["a page", "invoice", "", "\ud800", *TRICKY_TEXTS], tolerance=1e-6)
    check_embedder(TEXT, ["a red page", "blue", "", *TRICKY_TEXTS], tolerance=1e-6)
    check_embedder(IMAGE, images=[page("red"), page("green"), page("#010203")], tolerance=1e-6)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("query", "colour"), [("a red page", "red"), ("赤い page", "red"), ("a blue page", "blue")])
def test_a_description_is_nearest_to_the_page_it_describes(query: str, colour: str) -> None:
    """Text and image land in one space: what lets a query in words find a page that nothing could read."""
    colours = ["red", "#00ff00", "blue"]
    pages = IMAGE.embed_images([page(each) for each in colours], DOCUMENT).vectors
    (asked,) = TEXT.embed_texts([query], QUERY).vectors
    scores = dict(zip(colours, pages @ asked, strict=True))
    assert scores[colour] == pytest.approx(1.0, abs=1e-3)
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.usefixtures("installed")
def test_padding_of_a_batch_does_not_reach_the_mean() -> None:
    short, long = "invoice", "a page a page a page contract"
    together = MINILM_EMBEDDER.embed_texts([short, long], DOCUMENT).vectors[0]
    assert np.allclose(together, MINILM_EMBEDDER.embed_texts([short], DOCUMENT).vectors[0], atol=1e-6)


@pytest.mark.usefixtures("installed")
def test_the_two_towers_of_clip_share_a_space_for_documents_and_queries() -> None:
    registry = build([("indx_core.engines.embed_fastembed", CONTRIBUTION)])
    spaces = {space.id: space for space in take(registry).embedding_spaces}
    assert {name: space.dimension for name, space in spaces.items()} == {
        "clip-vit-b32": 512,
        "minilm-multilingual": 384,
    }
    towers = spaces["clip-vit-b32"].embedders
    assert [tower.modalities for tower in towers] == [(Modality.TEXT,), (Modality.IMAGE,)]
    assert all(tower.roles == (DOCUMENT, QUERY) and tower.available for tower in towers)


@pytest.mark.usefixtures("installed")
def test_other_weights_in_the_same_folder_are_another_model(tmp_path: Path) -> None:
    """The descriptor names the folder and a fingerprint of the weights, never the path."""
    toy_models.minilm(tmp_path / "minilm", dimension=385)
    mine = MINILM_EMBEDDER.descriptor.model or ""
    with overriding({"INDX_EMBED_FASTEMBED_MINILM": str(tmp_path / "minilm")}):
        other = MINILM_EMBEDDER.descriptor.model or ""
    assert mine.startswith("minilm@")
    assert other.startswith("minilm@")
    assert mine != other


@pytest.mark.usefixtures("installed")
def test_each_tower_refuses_the_other_modality() -> None:
    with pytest.raises(ModalityUnsupported, match="embeds no texts"):
        IMAGE.embed_texts(["a red page"], QUERY)
    with pytest.raises(ModalityUnsupported, match="embeds no images"):
        TEXT.embed_images([page("red")], QUERY)


@pytest.mark.usefixtures("installed")
def test_bytes_that_are_no_image_are_unreadable() -> None:
    with pytest.raises(SourceUnreadable, match="cannot be decoded"):
        IMAGE.embed_images([b"not an image"], DOCUMENT)


def test_a_model_of_another_dimension_is_refused(tmp_path: Path) -> None:
    toy_models.minilm(tmp_path / "minilm", dimension=100)
    with (
        overriding({"INDX_EMBED_FASTEMBED_MINILM": str(tmp_path / "minilm")}),
        pytest.raises(CapabilityUnavailable, match="gives 100 dimensions"),
    ):
        MINILM_EMBEDDER.embed_texts(["a"], DOCUMENT)


@pytest.mark.parametrize("broken", ["model_optimized.onnx", "tokenizer.json"])
def test_a_folder_with_damaged_files_is_refused(tmp_path: Path, broken: str) -> None:
    folder = toy_models.minilm(tmp_path / "minilm")
    (folder / broken).write_bytes(b"{")
    with (
        overriding({"INDX_EMBED_FASTEMBED_MINILM": str(folder)}),
        pytest.raises(CapabilityUnavailable, match="cannot be loaded") as caught,
    ):
        MINILM_EMBEDDER.embed_texts(["a"], DOCUMENT)
    assert str(tmp_path) not in caught.value.message


def test_a_folder_without_a_file_names_it(tmp_path: Path) -> None:
    folder = toy_models.minilm(tmp_path / "minilm")
    (folder / "tokenizer.json").unlink()
    with (
        overriding({"INDX_EMBED_FASTEMBED_MINILM": str(folder)}),
        pytest.raises(CapabilityUnavailable, match=r"lacks tokenizer\.json"),
    ):
        MINILM_EMBEDDER.embed_texts(["a"], DOCUMENT)


@pytest.mark.parametrize("embedder", [MINILM_EMBEDDER, TEXT], ids=["minilm", "clip"])
def test_a_model_that_is_not_here_is_refused_without_the_network(
    embedder: FastembedEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking the hub for it takes 39 seconds to fail on a machine without a network."""
    import socket

    def refuse(*_args: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    descriptor = embedder.descriptor
    assert not descriptor.available
    assert "INDX_MODEL_DOWNLOADS=true" in (descriptor.unavailable_reason or "")
    with pytest.raises(CapabilityUnavailable, match="INDX_EMBED_FASTEMBED_"):
        embedder.embed_texts(["a"], DOCUMENT)


def test_without_the_extra_the_spaces_are_advertised_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert MINILM_EMBEDDER.descriptor.unavailable_reason == "install the 'fastembed' extra; missing: fastembed"
    assert MINILM_EMBEDDER.space.dimension == 384
