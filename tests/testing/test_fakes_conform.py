"""The fakes keep the promises of their ports: a test built on one is a test of the system, not of the fake."""

from collections.abc import Callable

import pytest

from indx_core.contracts.capability import Modality
from indx_core.contracts.observation import Observation, PageObservation, TextLayer
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire
from indx_core.kit.registry import Contribution
from indx_core.ports.document import OpenDocument
from indx_core.testing import conformance, fakes

PAGES = fakes.fake_document("one\n\npart two", "two 😀")


def _document(data: bytes = PAGES) -> Callable[[], OpenDocument]:
    return lambda: OpenDocument(data, fakes.MEDIA_TYPE)


def test_the_fake_loader_conforms() -> None:
    loader = fakes.FakeLoader({"memory://root/a": b"a", "memory://root/b/c": b"c", "memory://other": b"o"})
    conformance.check_loader(loader, "memory://root/a", b"a", "memory://gone")
    conformance.check_lister(loader, "memory://root", ["a", "b/c"], "memory://gone")


def test_the_fake_observer_and_reader_conform() -> None:
    conformance.check_observer(fakes.FakeObserver(), _document(), pages=2)
    conformance.check_reader(fakes.FakeReader(confidence=0.5, cost_usd=0.01), _document(), pages=[1, 2])
    conformance.check_reader(fakes.FakeReader.failing(2), _document(), pages=[1, 2])


def test_the_fake_chunker_conforms() -> None:
    outputs = [PageOutput(1, text="one\n\npart two"), PageOutput(2, PageStatus.FAILED, reason="scripted")]
    conformance.check_chunker(fakes.FakeChunker(), _document(), outputs)


def test_the_fake_embedder_conforms() -> None:
    both = (Modality.TEXT, Modality.IMAGE)
    conformance.check_embedder(fakes.FakeEmbedder(), ["a", "bb", "ccc"])
    conformance.check_embedder(fakes.FakeEmbedder(modalities=both), ["a", "bb", "ccc"], [b"1", b"22", b"333"])


def test_the_fake_annotators_conform() -> None:
    conformance.check_classifier(fakes.FakeClassifier(), ["a memo"])
    conformance.check_extractor(fakes.FakeExtractor(), ["Acme bought Acme"])
    conformance.check_enricher(fakes.FakeEnricher(tags=("tag",)), ["a memo"])
    conformance.check_language_detector(fakes.FakeLanguageDetector(), [("これはメモ", "ja"), ("a memo", "en")])


@pytest.mark.parametrize(("word", "matches"), [("INVOICE", True), ("receipt", False)])
def test_the_fake_signature_conforms(word: str, matches: bool) -> None:
    observation = Observation(
        source_digest="sha256:0",
        media_type=fakes.MEDIA_TYPE,
        byte_count=1,
        pages=(PageObservation(number=1, text_layer=TextLayer.PRESENT),),
        observer="fake-observer",
    )
    signature = fakes.FakeSignature(scopes=("page:1",))
    conformance.check_signature(signature, _document(word.encode()), observation, matches=matches)


def test_a_registry_of_fakes_takes_a_document_in() -> None:
    assert len(fakes.fake_registry().readers) == 1
    loader = fakes.FakeLoader({"memory://a": PAGES})
    registry = fakes.fake_registry(Contribution(loaders=(loader,)), Contribution(observers=(fakes.FakeObserver(),)))
    assert acquire(UriSource(uri="memory://a"), registry).media_type == fakes.MEDIA_TYPE
    assert loader.loads == ["memory://a"]
