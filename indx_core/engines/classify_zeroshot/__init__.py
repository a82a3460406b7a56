"""Labels by entailment: the classifier ``zeroshot``, a natural-language-inference model on onnxruntime.

Only names stand here; the model is found and loaded on the first text of a worker process. Absent without the
``zeroshot`` extra.
"""

import importlib.util

from indx_core.engines.classify_zeroshot.classifier import ZeroShotClassifier
from indx_core.kit.registry import Contribution


def _classifiers() -> list[ZeroShotClassifier]:
    installed = all(importlib.util.find_spec(name) for name in ("onnxruntime", "tokenizers"))
    return [ZeroShotClassifier()] if installed else []


CONTRIBUTION = Contribution(classifiers=_classifiers)
