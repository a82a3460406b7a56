"""Where the models of the fastembed spaces are."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings

_WHERE = "A folder of this machine, or `<owner>/<name>` on the Hugging Face hub, with `@<revision>` to pin a commit."


class FastembedSettings(IndxSettings):
    """Which weights the vectors come from. A changed one is another space in all but name: embed the corpus again."""

    prefix: ClassVar[str] = "EMBED_FASTEMBED_"
    stages: ClassVar[tuple[str, ...]] = ("embeddings",)

    minilm: str = Field(
        default="Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
        description=f"Model of the space `minilm-multilingual`. {_WHERE}",
    )
    clip_text: str = Field(
        default="Qdrant/clip-ViT-B-32-text", description=f"Text tower of the space `clip-vit-b32`. {_WHERE}"
    )
    clip_image: str = Field(
        default="Qdrant/clip-ViT-B-32-vision", description=f"Image tower of the space `clip-vit-b32`. {_WHERE}"
    )
