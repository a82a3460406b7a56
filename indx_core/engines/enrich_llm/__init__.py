"""Summaries and tags by a language model through LiteLLM: the enricher ``enrich-llm``, and one id more per model.

Only names stand here. Nothing is advertised until a model is named; how models are reached is the business of
``kit/llm``.
"""

from indx_core.engines.enrich_llm.enricher import ModelEnricher
from indx_core.engines.enrich_llm.settings import EnricherModelSettings
from indx_core.kit.registry import Contribution


def _enrichers() -> list[ModelEnricher]:
    return [ModelEnricher(id_, model) for id_, model in EnricherModelSettings.load().by_id("enrich-llm").items()]


CONTRIBUTION = Contribution(enrichers=_enrichers)
