"""Annotations of a read document: languages, labels, entities, summaries and tags, per document, page and chunk.

Belongs here: which annotator is asked about which unit, in which order, and who wins what. First come, first won: the
first annotator with an opinion on a facet (a label, a part) of a unit has it, and one whose every facet is taken is not
asked at all, so naming two lanes for one facet pays for one. Extractors may also be named by the language of a page.
Does not hold any annotator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from indx_core.contracts.annotation import Enrichment, EntitySpan, ExtractionSelection, Label, LanguageScore
from indx_core.contracts.block import chunk_id, page_id
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.observation import Finding
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Component
from indx_core.execution.asking import Asking
from indx_core.execution.budget import Purse
from indx_core.execution.chunk import PlacedChunk
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.classifier import Classifier
from indx_core.ports.enricher import Enricher
from indx_core.ports.extractor import EntityExtractor, Extracted

DOCUMENT = "document"


@dataclass(slots=True)
class Annotations:
    """Answers by block id, each with the id of who gave it.

    Attributes:
        languages: Per readable page, and ``document``: the average weighted by how much text each score covers.
        labels: ``block -> facet -> (classifier id, labels highest first)``.
        entities: ``block -> label -> (extractor id, spans in text order)``.
        summaries: ``block -> (enricher id, summary)``.
        tags: ``block -> (enricher id, tags)``.
        findings: Texts that were left out, and why.
        declared_language: What the format itself states, verbatim: kept beside the detected ones, never mixed in.
        cost_usd: What vendors charged; ``None`` when one charged an unknown amount.
    """

    languages: dict[str, tuple[str, tuple[LanguageScore, ...]]] = field(default_factory=dict)
    labels: dict[str, dict[str, tuple[str, tuple[Label, ...]]]] = field(default_factory=dict)
    entities: dict[str, dict[str, tuple[str, tuple[EntitySpan, ...]]]] = field(default_factory=dict)
    summaries: dict[str, tuple[str, str]] = field(default_factory=dict)
    tags: dict[str, tuple[str, tuple[Label, ...]]] = field(default_factory=dict)
    components: list[Component] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    declared_language: str | None = None
    cost_usd: float | None = 0.0

    def charge(self, cost_usd: float | None) -> None:
        """Add what one call charged; unknown stays unknown."""
        self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd


def document_text(pages: Sequence[PageOutput]) -> str:
    """The text of every page that was read, in order, one line break between pages: the document block's own text."""
    return "\n".join(page.text for page in pages if page.status is PageStatus.COMPLETED)


def annotate(
    pages: Sequence[PageOutput],
    chunks: Sequence[PlacedChunk],
    options: IngestOptions,
    registry: Registry,
    deadline: Deadline,
    purse: Purse | None = None,
) -> Annotations:
    """Ask everything the options name, and the installed language detectors unless turned off.

    Args:
        pages: As the ladder left them.
        chunks: As they were cut.
        options: What is named, per unit.
        registry: Who is installed.
        deadline: Checked before every batch of texts.
        purse: What the document may still cost: texts it does not reach are left out with a finding. ``None``: no
            limit.

    Raises:
        CapabilityUnavailable: An annotator that was named cannot run, or answered for none of its texts.
        RequestTimeout: The deadline passed between calls.
    """
    units = _Units(pages, chunks)
    result = Annotations()
    asking = Asking(registry, deadline, result, purse or Purse())
    if options.languages:
        _languages(units, registry, result)
    extracted = {unit for _place, unit, _id in options.extraction.named()}
    for unit in ("document", "page", "chunk"):
        classifiers = getattr(options.classification, f"{unit}_ids")
        enrichers = getattr(options.enrichment, f"{unit}_ids")
        texts = units.of(unit) if classifiers or enrichers or unit in extracted else {}
        if texts:
            _classify(texts, classifiers, asking)
            if unit in extracted:
                _extract(texts, _lanes(texts, unit, options.extraction, result), asking)
            _enrich(texts, enrichers, asking)
    return result


def _lanes(
    texts: Mapping[str, str], unit: str, extraction: ExtractionSelection, result: Annotations
) -> dict[str, tuple[str, ...]]:
    """Extractor ids by block, in the order they win: those for its page's first language, else the general ones."""
    found = {}
    for block in texts:
        _detector, scores = result.languages.get(block.partition("/")[0], ("", ()))
        found[block] = extraction.ids(unit, scores[0].language if scores else None)
    return found


class _Units:
    """The texts of each unit by block id: only what was read and is not blank. Made when first asked for."""

    def __init__(self, pages: Sequence[PageOutput], chunks: Sequence[PlacedChunk]) -> None:
        self._pages, self._chunks = pages, chunks

    @cached_property
    def pages(self) -> Mapping[str, str]:
        read = (page for page in self._pages if page.status is PageStatus.COMPLETED and page.text.strip())
        return {page_id(page.number): page.text for page in read}

    def of(self, unit: str) -> Mapping[str, str]:
        if unit == "page":
            return self.pages
        if unit == "document":
            return {DOCUMENT: document_text(self._pages)} if self.pages else {}
        return {chunk_id(c.page, c.index): c.piece.text for c in self._chunks if c.piece.text.strip()}


def _languages(units: _Units, registry: Registry, result: Annotations) -> None:
    for detector in registry.language_detectors:
        outstanding = {block: text for block, text in units.pages.items() if block not in result.languages}
        answers = dict(zip(outstanding, detector.detect(list(outstanding.values())), strict=True))
        answered = {block: scores for block, scores in answers.items() if scores}
        result.languages.update((block, (detector.id, scores)) for block, scores in answered.items())
        if answered:
            numbers = tuple(sorted(int(block.removeprefix("page:")) for block in answered))
            result.components.append(
                Component(role="language_detector", distribution=detector.distribution, id=detector.id, pages=numbers)
            )
    if result.languages:
        first = next(iter(result.languages.values()))[0]
        result.languages[DOCUMENT] = (first, _weighted_average(units, result))


def _weighted_average(units: _Units, result: Annotations) -> tuple[LanguageScore, ...]:
    """Weighted by characters: with a flat mean, a title page of six words outvotes a chapter."""
    totals: dict[str, float] = {}
    weight = 0
    for block, (_detector, scores) in result.languages.items():
        size = len(units.pages[block])
        weight += size
        for score in scores:
            totals[score.language] = totals.get(score.language, 0.0) + score.confidence * size
    ranked = sorted(((language, total / weight) for language, total in totals.items()), key=lambda x: (-x[1], x[0]))
    return tuple(LanguageScore(language=language, confidence=round(value, 6)) for language, value in ranked)


def _classify(texts: Mapping[str, str], ids: Sequence[str], asking: Asking) -> None:
    for classifier_id in ids:
        classifier: Classifier = asking.registry.annotator(classifier_id)
        labels_of, provides = asking.result.labels, set(classifier.descriptor.provides)
        open_blocks = [b for b in texts if not provides or provides - labels_of.get(b, {}).keys()]
        won: set[str] = set()
        for block, answer in asking.answers(classifier.descriptor, classifier.classify, texts, open_blocks):
            facets = labels_of.setdefault(block, {})
            fresh = {facet: labels for facet, labels in answer.facets.items() if labels and facet not in facets}
            facets.update((facet, (classifier_id, labels)) for facet, labels in fresh.items())
            won |= fresh.keys()
        if open_blocks:
            asking.credit("classifier", classifier.descriptor, won)


def _extract(texts: Mapping[str, str], lanes: Mapping[str, Sequence[str]], asking: Asking) -> None:
    """Ask each extractor once about all of its blocks, then settle every block in the order its own list gives."""
    found: dict[str, dict[str, Extracted]] = {}
    won: dict[str, set[str]] = {}
    for extractor_id in dict.fromkeys(each for block in texts for each in lanes[block]):
        extractor: EntityExtractor = asking.registry.annotator(extractor_id)
        blocks = [block for block in texts if extractor_id in lanes[block]]
        found[extractor_id] = dict(asking.answers(extractor.descriptor, extractor.extract, texts, blocks))
        won[extractor_id] = set()
    for block in texts:
        labels = asking.result.entities.setdefault(block, {})
        for extractor_id in lanes[block]:
            by_label: dict[str, list[EntitySpan]] = {}
            for span in found[extractor_id].get(block, Extracted()).spans:
                by_label.setdefault(span.label, []).append(span)
            fresh = {label: spans for label, spans in by_label.items() if label not in labels}
            labels.update((label, (extractor_id, tuple(spans))) for label, spans in fresh.items())
            won[extractor_id] |= fresh.keys()
    for extractor_id, labels_won in won.items():
        asking.credit("extractor", asking.registry.annotator(extractor_id).descriptor, labels_won)


def _enrich(texts: Mapping[str, str], ids: Sequence[str], asking: Asking) -> None:
    for enricher_id in ids:
        enricher: Enricher = asking.registry.annotator(enricher_id)
        parts = set(enricher.descriptor.provides or ("summary", "tags"))
        open_blocks = [block for block in texts if parts - _enriched_parts(asking.result, block)]
        won: set[str] = set()
        for block, answer in asking.answers(enricher.descriptor, enricher.enrich, texts, open_blocks):
            won |= _keep_parts(asking.result, block, enricher_id, answer.parts)
        if open_blocks:
            asking.credit("enricher", enricher.descriptor, won)


def _enriched_parts(result: Annotations, block: str) -> set[str]:
    return {name for name, kept in (("summary", result.summaries), ("tags", result.tags)) if block in kept}


def _keep_parts(result: Annotations, block: str, enricher_id: str, parts: Enrichment) -> set[str]:
    won = set()
    if parts.summary and block not in result.summaries:
        result.summaries[block] = (enricher_id, parts.summary)
        won.add("summary")
    if parts.tags and block not in result.tags:
        result.tags[block] = (enricher_id, parts.tags)
        won.add("tags")
    return won
