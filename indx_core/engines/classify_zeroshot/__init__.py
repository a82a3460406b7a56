"""Labels by entailment: the classifier ``zeroshot``, a natural-language-inference model on onnxruntime.

Only names stand here; the model is found and loaded on the first text of a worker process. Without the ``zeroshot``
extra, or without the model on this machine, the lane is advertised as unavailable, with what to do.
"""

from indx_core.engines.classify_zeroshot.classifier import ZeroShotClassifier
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(classifiers=(ZeroShotClassifier(),))
