"""The embedding space ``hosted-text``: a model behind an API, through LiteLLM. Behind the extra ``hosted``.

Unconfigured there is no such space, rather than a broken one. How a model is reached, retried and priced is the
business of ``kit/llm``.
"""

from indx_core.engines.embed_hosted.embedder import embedders
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(embedders=embedders)
