"""Entities by a token-classification model on onnxruntime: the extractor ``onnx``, behind the extra ``ner``.

Without the packages, or without the model on this machine, the lane is advertised as unavailable, with what to do. A
model is fetched only where ``INDX_MODEL_DOWNLOADS`` is on.
"""

from indx_core.engines.ner_onnx.extractor import OnnxExtractor
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(extractors=(OnnxExtractor(),))
