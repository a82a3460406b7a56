"""Annotations of a read document: languages, labels, entities, summaries and tags, per document, page and chunk.

Belongs here: which annotator is asked about which unit, in which order, and who wins what. First come, first won: the
first annotator with an opinion on a facet (a label, a part) of a unit has it, and one whose every facet is taken is not
asked at all, so naming two lanes for one facet pays for one. Does not hold any annotator.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from indx_core.contracts.annotation import Enrichment, EntitySpan, Label, LanguageScore
from indx_core.contracts.block import chunk_id, page_id
from indx_core.contracts.capability import AnnotatorDescriptor, Device
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.observation import Finding
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Component
from indx_core.execution.chunk import PlacedChunk
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.classifier import Classified
from indx_core.ports.enricher import Enriched
from indx_core.ports.extractor import Extracted

DOCUMENT = "document"
FREE_BATCH = 64
"""Texts per call of an annotator without a model; one with a model takes seconds a text and is asked one by one."""

Answer = TypeVar("Answer", Classified, Extracted, Enriched)


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
    budget_usd: float | None = None,
) -> Annotations:
    """Ask everything the options name, and the installed language detectors unless turned off.

    Args:
        pages: As the ladder left them.
        chunks: As they were cut.
        options: What is named, per unit.
        registry: Who is installed.
        deadline: Checked before every batch of texts.
        budget_usd: What is left of the caller's limit; external annotators stop once it is spent. ``None``: no limit.

    Raises:
        CapabilityUnavailable: An annotator that was named cannot run, or answered for none of its texts.
        RequestTimeout: The deadline passed between calls.
    """
    units = _Units(pages, chunks)
    result = Annotations()
    asking = _Asking(registry, deadline, result, budget_usd)
    if options.languages:
        _languages(units, registry, result)
    for unit in ("document", "page", "chunk"):
        classifiers = getattr(options.classification, f"{unit}_ids")
        extractors = getattr(options.extraction, f"{unit}_ids", ())
        enrichers = getattr(options.enrichment, f"{unit}_ids")
        texts = units.of(unit) if classifiers or extractors or enrichers else {}
        if texts:
            _classify(texts, classifiers, asking)
            _extract(texts, extractors, asking)
            _enrich(texts, enrichers, asking)
    return result


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


def _classify(texts: Mapping[str, str], ids: Sequence[str], asking: "_Asking") -> None:
    for classifier_id in ids:
        classifier = next(c for c in asking.registry.classifiers if c.descriptor.id == classifier_id)
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


def _extract(texts: Mapping[str, str], ids: Sequence[str], asking: "_Asking") -> None:
    for extractor_id in ids:
        extractor = next(e for e in asking.registry.extractors if e.descriptor.id == extractor_id)
        won: set[str] = set()
        for block, answer in asking.answers(extractor.descriptor, extractor.extract, texts, list(texts)):
            labels = asking.result.entities.setdefault(block, {})
            by_label: dict[str, list[EntitySpan]] = {}
            for span in answer.spans:
                by_label.setdefault(span.label, []).append(span)
            fresh = {label: spans for label, spans in by_label.items() if label not in labels}
            labels.update((label, (extractor_id, tuple(spans))) for label, spans in fresh.items())
            won |= fresh.keys()
        asking.credit("extractor", extractor.descriptor, won)


def _enrich(texts: Mapping[str, str], ids: Sequence[str], asking: "_Asking") -> None:
    for enricher_id in ids:
        enricher = next(e for e in asking.registry.enrichers if e.descriptor.id == enricher_id)
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


class _Asking:
    """How annotators are asked: in batches, so that work shows signs of life and a deadline is noticed.

    One text that a model answered badly costs that text, with a finding, and what was charged for it. Only an annotator
    that answers none at all fails the document. What money cannot buy any more is left out with a finding, too.
    """

    def __init__(
        self, registry: Registry, deadline: Deadline, result: Annotations, budget_usd: float | None = None
    ) -> None:
        self.registry, self.result = registry, result
        self._deadline, self._budget_usd = deadline, budget_usd

    def answers(
        self,
        descriptor: AnnotatorDescriptor,
        ask: "Callable[[Sequence[str]], list[Answer]]",
        texts: Mapping[str, str],
        blocks: Sequence[str],
    ) -> "Iterator[tuple[str, Answer]]":
        """Answers by block, in order; blocks without one have a finding."""
        size = FREE_BATCH if descriptor.model is None else 1
        failure: CapabilityUnavailable | None = None
        answered = False
        for start in range(0, len(blocks), size):
            batch = blocks[start : start + size]
            self._deadline.check()
            if self._spent(descriptor):
                self._leave_out("budget_spent", descriptor.id, blocks[start:], "maximum_cost_usd is reached")
                return
            try:
                found = ask([texts[block] for block in batch])
            except CapabilityUnavailable as error:
                failure = error
                self.result.charge(error.details.get("cost_usd", 0.0))
                self._leave_out("not_annotated", descriptor.id, batch, error.message)
                continue
            answered = True
            for block, answer in zip(batch, found, strict=True):
                self.result.charge(answer.cost_usd)
                yield block, answer
        if failure is not None and not answered:
            raise failure

    def credit(self, role: str, descriptor: AnnotatorDescriptor, won: set[str]) -> None:
        """Say who answered what."""
        self.result.components.append(
            Component(role=role, distribution=descriptor.distribution, id=descriptor.id, facets=tuple(sorted(won)))
        )

    def _spent(self, descriptor: AnnotatorDescriptor) -> bool:
        if self._budget_usd is None or descriptor.device is not Device.EXTERNAL:
            return False
        return (self.result.cost_usd or 0.0) >= self._budget_usd

    def _leave_out(self, code: str, annotator_id: str, blocks: Sequence[str], reason: str) -> None:
        where = blocks[0] if len(blocks) == 1 else f"{len(blocks)} blocks from {blocks[0]}"
        self.result.findings.append(Finding(code=code, message=f"{annotator_id} left out {where}: {reason}"))
