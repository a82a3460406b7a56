"""Suites of what annotates texts: extractor, classifier, enricher, language detector."""

from collections.abc import Sequence

from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.ports.classifier import Classifier
from indx_core.ports.enricher import Enricher
from indx_core.ports.extractor import EntityExtractor
from indx_core.ports.language import LanguageDetector
from indx_core.testing.conformance.expect import (
    expect,
    expect_confidence,
    expect_cost,
    expect_name,
    expect_one_each,
    expect_port,
    expect_twice,
)

TRICKY_TEXTS = (
    "",
    " \n\t ",
    "請求書 🧾 株式会社インデックス 2026年3月31日 ¥1,200 👩\u200d👩\u200d👧 Acme Inc.",  # beyond the BMP, joined emoji
    "Zoe\u0308 Mu\u0308ller, か\u3099く, 2026-03-31",  # combining marks, as macOS writes file names
    "ＡＣＭＥ株式会社　２０２６年３月３１日　￥１，２００－",  # full width: normalising changes no length here
    "㈱インデックス ㍻三十一年 ﬁnance ½",  # NFKC lengthens these: offsets must be those of the text as it stands
    "𠮷野家 𩸽 \u202eabc\u202c 🇯🇵",  # second-plane kanji, right-to-left override, regional indicators
    "line one\r\nline two\u2028line three\x0bline four",
)
"""Texts whose character offsets differ from their bytes, their UTF-16 units, or their normalised form."""

_UNITS = ("document", "page", "chunk")


def check_extractor(extractor: EntityExtractor, texts: Sequence[str]) -> None:
    """Spans are those of the text as it stands: ``text[start:end] == surface``, on tricky texts too.

    Args:
        extractor: The implementation.
        texts: Texts it finds something in, at least in one.
    """
    expect_port(extractor, EntityExtractor)
    _check_descriptor(extractor.descriptor, "extractor")
    asked = [*texts, *TRICKY_TEXTS]
    answers = expect_twice(lambda: extractor.extract(asked), "extract")
    expect_one_each(answers, asked)
    for text, answer in zip(asked, answers, strict=True):
        expect_cost(answer.cost_usd)
        for span in answer.spans:
            expect(0 <= span.start < span.end <= len(text), f"a span lies inside its text: {span}")
            expect(text[span.start : span.end] == span.surface, f"text[start:end] == surface: {span} in {text!r}")
            expect_confidence(span.confidence, f"the span {span.surface!r}")
        starts = [span.start for span in answer.spans]
        expect(starts == sorted(starts), "spans come in text order")
    expect(any(answer.spans for answer in answers[: len(texts)]), "it finds something in the texts it was checked with")


def check_classifier(classifier: Classifier, texts: Sequence[str]) -> None:
    """Facets of labels, highest first; an answer per text; no facet without an opinion.

    Args:
        classifier: The implementation.
        texts: Texts it has an opinion on, at least on one.
    """
    expect_port(classifier, Classifier)
    _check_descriptor(classifier.descriptor, "classifier")
    asked = [*texts, *TRICKY_TEXTS]
    answers = expect_twice(lambda: classifier.classify(asked), "classify")
    expect_one_each(answers, asked)
    for answer in answers:
        expect_cost(answer.cost_usd)
        for facet, labels in answer.facets.items():
            expect(labels, f"the facet {facet} without an opinion is left out")
            scores = [label.confidence for label in labels]
            expect(scores == sorted(scores, reverse=True), f"labels of {facet} are ranked, highest first")
            for label in labels:
                expect_confidence(label.confidence, f"the label {label.label}")
    expect(any(answer.facets for answer in answers[: len(texts)]), "it has an opinion on a text it was checked with")


def check_enricher(enricher: Enricher, texts: Sequence[str]) -> None:
    """A summary and tags, each only if there is an opinion.

    Args:
        enricher: The implementation.
        texts: Texts it has something to say of, at least of one.
    """
    expect_port(enricher, Enricher)
    _check_descriptor(enricher.descriptor, "enricher")
    asked = [*texts, *TRICKY_TEXTS]
    answers = expect_twice(lambda: enricher.enrich(asked), "enrich")
    expect_one_each(answers, asked)
    for answer in answers:
        expect_cost(answer.cost_usd)
        expect(answer.parts.summary is None or answer.parts.summary.strip(), "a summary says something or is None")
        for tag in answer.parts.tags:
            expect_confidence(tag.confidence, f"the tag {tag.label}")
    said = any(answer.parts.summary or answer.parts.tags for answer in answers[: len(texts)])
    expect(said, "it has something to say of a text it was checked with")


def check_language_detector(detector: LanguageDetector, samples: Sequence[tuple[str, str]]) -> None:
    """ISO 639-1 codes, highest first, rounded so that outputs are byte-stable.

    Args:
        detector: The implementation.
        samples: Pairs of a text and the code of its language.
    """
    expect_port(detector, LanguageDetector)
    expect_name(detector.id, "the detector's id")
    expect(detector.languages == tuple(sorted(set(detector.languages))), "the languages it finds are sorted")
    asked = [*(text for text, _ in samples), *TRICKY_TEXTS]
    answers = expect_twice(lambda: detector.detect(asked), "detect")
    expect_one_each(answers, asked)
    for answer in answers:
        scores = [score.confidence for score in answer]
        expect(scores == sorted(scores, reverse=True), "languages are ranked, highest first")
        for score in answer:
            expect(len(score.language) == 2 and score.language.islower(), f"an ISO 639-1 code: {score.language!r}")
            expect(score.language in detector.languages, f"{score.language} is among the languages it says it finds")
            expect_confidence(score.confidence, score.language)
            expect(score.confidence == round(score.confidence, 6), "confidences are rounded to 6 digits")
    for (text, language), answer in zip(samples, answers, strict=False):
        expect(answer and answer[0].language == language, f"{text[:30]!r} is {language}")


def _check_descriptor(descriptor: AnnotatorDescriptor, port: str) -> None:
    expect(isinstance(descriptor, AnnotatorDescriptor), "descriptor is an AnnotatorDescriptor")
    expect_name(descriptor.id, "the annotator's id")
    expect(descriptor.port == port, f"the descriptor names its port {port!r}: {descriptor.port!r}")
    expect(descriptor.units and set(descriptor.units) <= set(_UNITS), f"units are some of {_UNITS}: {descriptor.units}")
