"""Labels by words: the classifier ``words``, which every installation has.

A label is carried when enough of its words occur. No model, no extra; what a label means is the table's business
(``kit/taxonomy``).
"""

from indx_core.engines.classify_words.classifier import WordClassifier
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(classifiers=(WordClassifier(),))
