"""The three models: what they are called, which files they need, whether they are on this machine, and loading one.

Does not embed anything.
"""

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from indx_core.contracts.capability import Modality
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.embed_fastembed.settings import FastembedSettings
from indx_core.kit.models import files

_TOKENIZER = ("config.json", "special_tokens_map.json", "tokenizer.json", "tokenizer_config.json")


@dataclass(frozen=True, slots=True)
class Model:
    """One model file and the space its vectors live in.

    Attributes:
        embedder_id: Id of the embedder.
        space_id: Its embedding space.
        dimension: Length of a vector.
        modality: What it embeds.
        known_as: fastembed's name of the architecture, which says how outputs are pooled.
        weights: The ONNX file in the model's folder.
        beside: What else must be there.
        field: The setting that says where the folder is.
    """

    embedder_id: str
    space_id: str
    dimension: int
    modality: Modality
    known_as: str
    weights: str
    beside: tuple[str, ...]
    field: str

    @property
    def place(self) -> str:
        """The folder or the hub's name that the settings give."""
        return str(getattr(FastembedSettings.load(), self.field))

    @property
    def variable(self) -> str:
        """The variable behind it."""
        return FastembedSettings.variable(self.field)


MINILM = Model(
    embedder_id="fastembed-minilm",
    space_id="minilm-multilingual",
    dimension=384,
    modality=Modality.TEXT,
    known_as="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
    weights="model_optimized.onnx",
    beside=_TOKENIZER,
    field="minilm",
)
CLIP_TEXT = Model(
    embedder_id="fastembed-clip-text",
    space_id="clip-vit-b32",
    dimension=512,
    modality=Modality.TEXT,
    known_as="Qdrant/clip-ViT-B-32-text",
    weights="model.onnx",
    beside=_TOKENIZER,
    field="clip_text",
)
CLIP_IMAGE = Model(
    embedder_id="fastembed-clip-image",
    space_id="clip-vit-b32",
    dimension=512,
    modality=Modality.IMAGE,
    known_as="Qdrant/clip-ViT-B-32-vision",
    weights="model.onnx",
    beside=("config.json", "preprocessor_config.json"),
    field="clip_image",
)


def unavailable(model: Model) -> str | None:
    """Why a model cannot be used here, and what to do; ``None`` where it can. Opens no model and no network."""
    if importlib.util.find_spec("fastembed") is None:
        return "install the 'fastembed' extra; missing: fastembed"
    return files.unavailable(model.place, model.variable, (model.weights, *model.beside))


def load(model: Model) -> Any:
    """The loaded model, one per process and place.

    Raises:
        CapabilityUnavailable: It is not on this machine, or is not the model it should be.
    """
    if (reason := unavailable(model)) is not None:
        raise CapabilityUnavailable(f"{model.embedder_id}: {reason}")
    folder = files.resolve_model(model.embedder_id, model.place, (model.weights, *model.beside))
    return _loaded(model, folder)


@lru_cache(maxsize=3)
def _loaded(model: Model, folder: Path) -> Any:
    from fastembed import ImageEmbedding, TextEmbedding

    kind = TextEmbedding if model.modality is Modality.TEXT else ImageEmbedding
    try:
        return kind(
            model.known_as,
            specific_model_path=str(folder),
            # Workers are many: one thread each. On the processor alone, or a graphics card would change the last bits.
            threads=1,
            providers=["CPUExecutionProvider"],
        )
    except Exception as error:  # noqa: BLE001 - onnxruntime and the tokenizer raise kinds of their own
        raise CapabilityUnavailable(
            f"{model.embedder_id}: the model's files cannot be loaded ({type(error).__name__})",
            remedy=f"check the folder that {model.variable} names",
        ) from None
