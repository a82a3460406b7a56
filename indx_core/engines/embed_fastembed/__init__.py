"""The embedding spaces ``minilm-multilingual`` (text) and ``clip-vit-b32`` (text and image), through fastembed.

Models are ONNX files of a local folder or of the Hugging Face hub; nothing is fetched unless ``INDX_MODEL_DOWNLOADS``
is on. Behind the extra ``fastembed``. A space whose model is not on this machine is advertised, with what to do.
"""

from indx_core.engines.embed_fastembed.embedder import FastembedEmbedder
from indx_core.engines.embed_fastembed.models import CLIP_IMAGE, CLIP_TEXT, MINILM
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(embedders=tuple(FastembedEmbedder(model) for model in (MINILM, CLIP_TEXT, CLIP_IMAGE)))
