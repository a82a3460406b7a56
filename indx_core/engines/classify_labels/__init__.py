"""Labels by similarity: the classifier ``labels``, a zero-shot lane that costs nothing and needs no hub.

Compares a text with what its labels are called, in the vectors of the packaged sentence encoder. Absent without the
``embed`` extra. A model that was trained to judge hypotheses is the ``zeroshot`` lane's.
"""

from indx_core.engines.classify_labels.classifier import LabelClassifier
from indx_core.kit.models.sentence_encoder import encoder_missing
from indx_core.kit.registry import Contribution


def _classifiers() -> list[LabelClassifier]:
    return [] if encoder_missing() else [LabelClassifier()]


CONTRIBUTION = Contribution(classifiers=_classifiers)
