"""Labels by similarity: the classifier ``labels``, a zero-shot lane that costs nothing and needs no hub.

Compares a text with what its labels are called, in the vectors of the packaged sentence encoder. Without the ``embed``
extra it is advertised as unavailable. A model that was trained to judge hypotheses is the ``zeroshot`` lane's.
"""

from indx_core.engines.classify_labels.classifier import LabelClassifier
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(classifiers=(LabelClassifier(),))
