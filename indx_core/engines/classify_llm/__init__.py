"""Labels by a language model through LiteLLM: the classifier ``llm``, and one id more per further model allowed.

Only names stand here. Nothing is advertised until a model is named; how models are reached is the business of
``kit/llm``.
"""

from indx_core.engines.classify_llm.classifier import ModelClassifier
from indx_core.engines.classify_llm.settings import ClassifierModelSettings
from indx_core.kit.registry import Contribution


def _classifiers() -> list[ModelClassifier]:
    return [ModelClassifier(id_, model) for id_, model in ClassifierModelSettings.load().by_id("llm").items()]


CONTRIBUTION = Contribution(classifiers=_classifiers)
