"""Entities by a language model through LiteLLM: the extractor ``ner-llm``, and one more for each further model allowed.

Without a model nothing is advertised. How a model is reached, retried and priced is the
business of ``kit/llm``.
"""

from indx_core.engines.ner_llm.extractor import extractors
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(extractors=extractors)
