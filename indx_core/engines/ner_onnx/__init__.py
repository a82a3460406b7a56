"""Entities by a token-classification model on onnxruntime: the extractor ``onnx``, behind the extra ``ner``.

Without the packages nothing is advertised. A model that is not on this machine is refused when it is asked for, and
fetched only where ``INDX_MODEL_DOWNLOADS`` is on.
"""

from indx_core.engines.ner_onnx.extractor import extractors
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(extractors=extractors)
