"""The embedding space of every installation, ``default-text``: hashed character trigrams, no model, no download.

A lexical baseline: texts that share trigrams land near each other and nothing else does. Does not load anything.
"""

from indx_core.engines.embed_hashed.embedder import HashedEmbedder
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(embedders=(HashedEmbedder(),))
