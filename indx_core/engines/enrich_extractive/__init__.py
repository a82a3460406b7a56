"""Summaries out of the text's own sentences: the enricher ``extractive``, which every installation has.

What the summary says is what the document says. Coins no tags: a tag is a word the text need not contain.
"""

from indx_core.engines.enrich_extractive.enricher import ExtractiveEnricher
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(enrichers=(ExtractiveEnricher(),))
