"""Entities of fixed shape, in every installation: the extractor ``patterns``, and a deployment's own list of names.

Regular expressions and arithmetic only. What a name means in a sentence is for the other extractors.
"""

from indx_core.engines.ner_patterns.extractor import PatternsExtractor
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(extractors=(PatternsExtractor(),))
