"""Pages transcribed by a vision model through LiteLLM: the capability ``generic-vlm``.

Only names stand here. How a model is reached, retried and priced is the business of ``kit/llm``.
"""

from indx_core.engines.vlm_litellm.reader import GenericVlm
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(readers=[GenericVlm()])
