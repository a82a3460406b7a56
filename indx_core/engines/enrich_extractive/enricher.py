"""The enricher ``extractive``: the sentences that carry most of the text's vocabulary, verbatim, in document order."""

from collections import Counter
from collections.abc import Sequence

from indx_core.contracts.annotation import Enrichment
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.engines.enrich_extractive.sentences import joined, lines, sentences
from indx_core.engines.enrich_extractive.settings import ExtractiveSettings
from indx_core.engines.enrich_extractive.terms import terms
from indx_core.kit.excerpt import excerpt
from indx_core.ports.enricher import Enriched

_REPEATED = 0.3
"""What a term is still worth once a chosen sentence said it: enough to stay on the subject, too little to repeat it."""
_LENGTH = 0.5
"""Power of a sentence's number of terms that its worth is divided by: 0 takes the longest, 1 the shortest."""
_LEAST_TERMS = 6
"""Shorter sentences are taken only where there is no longer one: *No program.* tells nothing by itself."""


class ExtractiveEnricher:
    """Reads the whole text. No model, no tags."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        return AnnotatorDescriptor(
            id="extractive",
            port="enricher",
            units=("document", "page", "chunk"),
            provides=("summary",),
            distribution="indx-enrich-extractive",
        )

    def enrich(self, texts: Sequence[str]) -> list[Enriched]:
        settings = ExtractiveSettings.load()
        return [Enriched(Enrichment(summary=_summary(text, settings))) for text in texts]


def _summary(text: str, settings: ExtractiveSettings) -> str | None:
    if not text.strip():
        return None
    chosen = _central(text, settings.sentences)
    whole = joined(chosen) if chosen else "\n".join(lines(text)[: settings.sentences])
    return excerpt(whole, settings.max_characters).strip() or None


def _central(text: str, count: int) -> list[str]:
    """The most telling sentences, in the order of the text; none where a form or a table has nothing to rank.

    Greedy: the next sentence is the one with the greatest sum of term frequencies, each term counted once, per root of
    its length; the terms it said are then worth less. Of equals, the earlier.
    """
    candidates = list(dict.fromkeys(sentences(text)))
    said = [tuple(dict.fromkeys(terms(sentence))) for sentence in candidates]
    worth: dict[str, float] = dict(Counter(terms(text)))
    longest = max((len(own) for own in said), default=0)
    open_ = [index for index, own in enumerate(said) if len(own) >= min(_LEAST_TERMS, max(longest, 1))]
    chosen: list[int] = []
    while open_ and len(chosen) < count:
        best = max(open_, key=lambda index: (_worth(said[index], worth), -index))
        open_.remove(best)
        chosen.append(best)
        worth.update((term, worth.get(term, 0.0) * _REPEATED) for term in said[best])
    return [candidates[index] for index in sorted(chosen)]


def _worth(own: tuple[str, ...], worth: dict[str, float]) -> float:
    return sum(worth.get(term, 0.0) for term in own) / float(len(own) ** _LENGTH)
