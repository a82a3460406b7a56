"""Every suite catches what it is there for: one broken implementation per promise."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from indx_core.contracts.annotation import EntitySpan, Label, LanguageScore
from indx_core.contracts.observation import PageObservation, TextLayer
from indx_core.contracts.page import Box, Cell, ChunkPiece, Link, PageOutput, PageStatus, Table, TextLine
from indx_core.contracts.source import LoadedSource
from indx_core.ports.classifier import Classified
from indx_core.ports.document import OpenDocument
from indx_core.ports.embedder import Embedded
from indx_core.ports.extractor import Extracted
from indx_core.ports.observer import Observed
from indx_core.testing import conformance, fakes

PAGES = fakes.fake_document("one", "two")


def _document() -> OpenDocument:
    return OpenDocument(PAGES, fakes.MEDIA_TYPE)


def _reading(**attributes: object) -> Callable[[], None]:
    output = replace(PageOutput(1, text="one"), **attributes)  # type: ignore[arg-type]
    return lambda: conformance.check_reader(fakes.FakeReader(outputs={1: output}), _document, [1, 2])


@pytest.mark.parametrize(
    ("check", "promise"),
    [
        (_reading(number=7), "never invents a page"),
        (_reading(number=2), "one output per page"),
        (_reading(status=PageStatus.FAILED), "says why it was not read"),
        (_reading(confidence=1.5), "confidence in 0-1"),
        (_reading(cost_usd=-1.0), "cost_usd"),
        (_reading(metadata={"entities": []}), "executor's own metadata keys"),
        (_reading(lines=(TextLine(0, 9, Box(0, 0, 1, 1)),)), "indexes the text"),
        (_reading(lines=(TextLine(0, 3, None),)), "never both or neither"),
        (_reading(lines=(TextLine(0, 3, Box(0, 0, 1, 1.01)),)), "inside 0-1"),
        (_reading(lines=(TextLine(0, 3, Box(0.9, 0, 0.1, 1)),)), "corners ordered"),
        (_reading(tables=(Table(1, 1, (Cell(1, 0, "x"),)),)), "inside their table"),
        (_reading(tables=(Table(2, 1, (Cell(1, 0, "x"), Cell(0, 0, "y"))),)), "row order"),
        (_reading(links=(Link(" "),)), "a link leads somewhere"),
        (_reading(links=(Link("a.pdf", box=Box(0, 0, 1, 1.01)),)), "inside 0-1"),
    ],
)
def test_a_reader_that_breaks_a_promise_is_caught(check: Callable[[], None], promise: str) -> None:
    with pytest.raises(AssertionError, match=promise):
        check()


def test_a_reader_that_answers_differently_the_second_time_is_caught() -> None:
    class Forgetful(fakes.FakeReader):
        def read(self, document, pages):  # type: ignore[no-untyped-def]
            for output in super().read(document, pages):
                yield replace(output, text=f"{output.text} {len(self.asked)}")

    with pytest.raises(AssertionError, match="same way twice"):
        conformance.check_reader(Forgetful(), _document, [1, 2])


def test_a_reader_that_completes_a_page_that_does_not_exist_is_caught() -> None:
    reader = fakes.FakeReader(outputs={3: PageOutput(3, text="made up")})
    with pytest.raises(AssertionError, match="does not exist"):
        conformance.check_reader(reader, _document, [1, 2])


@pytest.mark.parametrize(
    ("numbers", "signals", "promise"),
    [((1,), (), "numbered 1 to 2"), ((0, 1), (), "numbered 1 to 2"), ((1, 2), ("b", "a"), "signals are sorted")],
)
def test_an_observer_that_breaks_a_promise_is_caught(
    numbers: tuple[int, ...], signals: tuple[str, ...], promise: str
) -> None:
    class Broken(fakes.FakeObserver):
        def observe(self, document):  # type: ignore[no-untyped-def]
            pages = [PageObservation(number=n, text_layer=TextLayer.PRESENT, signals=signals) for n in numbers]
            return Observed(tuple(pages))

    with pytest.raises(AssertionError, match=promise):
        conformance.check_observer(Broken(), _document, pages=2)


def test_an_observer_that_claims_foreign_bytes_is_caught() -> None:
    class Greedy(fakes.FakeObserver):
        def sniff(self, data):  # type: ignore[no-untyped-def]
            return fakes.MEDIA_TYPE

    with pytest.raises(AssertionError, match="does not claim bytes"):
        conformance.check_observer(Greedy(), _document, pages=2)


def test_an_observer_that_lets_any_exception_out_is_caught() -> None:
    class Leaky(fakes.FakeObserver):
        def observe(self, document):  # type: ignore[no-untyped-def]
            if document.data == b"damaged":
                raise IndexError
            return super().observe(document)

    with pytest.raises(AssertionError, match="not IndexError"):
        conformance.check_observer(Leaky(), _document, 2, unreadable=lambda: OpenDocument(b"damaged", fakes.MEDIA_TYPE))


@pytest.mark.parametrize(
    ("pieces", "promise"),
    [
        ({9: []}, "pages it was given"),
        ({1: [ChunkPiece("x", Box(0, 0, 2, 1))]}, "inside 0-1"),
        ({1: [ChunkPiece(" ", Box(0, 0, 1, 1))]}, "holds text or an image"),
    ],
)
def test_a_chunker_that_breaks_a_promise_is_caught(pieces: dict[int, list[ChunkPiece]], promise: str) -> None:
    class Broken(fakes.FakeChunker):
        def chunk(self, document, pages):  # type: ignore[no-untyped-def]
            return pieces

    with pytest.raises(AssertionError, match=promise):
        conformance.check_chunker(Broken(), _document, [PageOutput(1, text="one")])


@pytest.mark.parametrize(
    ("loaded", "promise"),
    [
        (LoadedSource(b"other", "memory://a", loader="fake-loader"), "bytes as they are"),
        (LoadedSource(b"data", loader="fake-loader"), "URI it came from"),
        (LoadedSource(b"data", "memory://a"), "distribution that fetched it"),
        (LoadedSource(b"data", "memory://a", loader="fake-loader"), "InputTooLarge is raised"),
    ],
)
def test_a_loader_that_breaks_a_promise_is_caught(loaded: LoadedSource, promise: str) -> None:
    class Broken(fakes.FakeLoader):
        def load(self, uri, max_bytes):  # type: ignore[no-untyped-def]
            return loaded

    with pytest.raises(AssertionError, match=promise):
        conformance.check_loader(Broken(), "memory://a", b"data", "memory://gone")


def test_a_listing_that_leaves_something_out_is_caught() -> None:
    loader = fakes.FakeLoader({"memory://root/a": b"a"})
    with pytest.raises(AssertionError, match="every object once"):
        conformance.check_lister(loader, "memory://root", ["a", "b"], "memory://gone")


@pytest.mark.parametrize(
    ("vectors", "promise"),
    [
        (lambda n: np.ones((n, 4)), "float32"),
        (lambda n: np.ones((n, 5), np.float32), "shape"),
        (lambda n: np.ones((n, 4), np.float32), "length 1"),
        (lambda n: np.full((n, 4), np.nan, np.float32), "finite"),
        (lambda n: np.eye(4, dtype=np.float32)[np.arange(n)], "batch it was made in"),
    ],
)
def test_an_embedder_that_breaks_a_promise_is_caught(vectors: Callable[[int], np.ndarray], promise: str) -> None:  # type: ignore[type-arg]
    class Broken(fakes.FakeEmbedder):
        def embed_texts(self, texts, role):  # type: ignore[no-untyped-def]
            return Embedded(vectors(len(texts)))

    with pytest.raises(AssertionError, match=promise):
        conformance.check_embedder(Broken(), ["a", "bb", "ccc"])


def _by_bytes(text: str) -> tuple[EntitySpan, ...]:
    start = text.encode().find(b"Acme")
    return () if start < 0 else (EntitySpan(label="x", surface="Acme", start=start, end=start + 4, confidence=1.0),)


def _by_utf_16(text: str) -> tuple[EntitySpan, ...]:
    start = text.encode("utf-16-le").find("Acme".encode("utf-16-le")) // 2
    return () if start < 0 else (EntitySpan(label="x", surface="Acme", start=start, end=start + 4, confidence=1.0),)


@pytest.mark.parametrize("spans", [_by_bytes, _by_utf_16])
def test_an_extractor_that_counts_anything_but_characters_is_caught(
    spans: Callable[[str], tuple[EntitySpan, ...]],
) -> None:
    class Broken(fakes.FakeExtractor):
        def extract(self, texts):  # type: ignore[no-untyped-def]
            return [Extracted(spans(text)) for text in texts]

    with pytest.raises(AssertionError, match=r"surface|inside its text"):
        conformance.check_extractor(Broken(), ["Acme"])


def test_labels_out_of_rank_are_caught() -> None:
    class Broken(fakes.FakeClassifier):
        def classify(self, texts):  # type: ignore[no-untyped-def]
            labels = (Label(label="a", confidence=0.1), Label(label="b", confidence=0.9))
            return [Classified({"facet": labels}) for _ in texts]

    with pytest.raises(AssertionError, match="ranked"):
        conformance.check_classifier(Broken(), ["text"])


def test_an_annotator_that_skips_a_text_is_caught() -> None:
    class Skipping(fakes.FakeEnricher):
        def enrich(self, texts):  # type: ignore[no-untyped-def]
            return super().enrich([text for text in texts if text])

    with pytest.raises(AssertionError, match="one answer per text"):
        conformance.check_enricher(Skipping(), ["text"])


def test_confidences_that_are_not_rounded_are_caught() -> None:
    class Unrounded(fakes.FakeLanguageDetector):
        def detect(self, texts):  # type: ignore[no-untyped-def]
            return [(LanguageScore(language="en", confidence=1 / 3),) for _ in texts]

    with pytest.raises(AssertionError, match="rounded"):
        conformance.check_language_detector(Unrounded(), [("text", "en")])
