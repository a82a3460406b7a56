"""People, organisations and places in Japanese text, by morphological analysis: the extractor ``vibrato``.

The dictionary is IPADIC, the one that tags organisations: packaged with the ``ja`` extra, or one that a setting names.
Without either it is advertised as unavailable. No dictionary is opened before the first text.
"""

from indx_core.engines.ner_vibrato.extractor import VibratoExtractor
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(extractors=(VibratoExtractor(),))
