"""Annotations: who is asked about what, first come first won, and nothing that was not named."""

import pytest

from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.capability import Device
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.execution.annotate import annotate
from indx_core.execution.budget import Budget, Purse
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.entities import entity_counts, entity_metadata
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Contribution
from indx_core.testing.fakes import (
    FakeClassifier,
    FakeEnricher,
    FakeExtractor,
    FakeLanguageDetector,
    fake_registry,
)

PAGES = [
    PageOutput(1, text="short one"),
    PageOutput(2, PageStatus.UNREADABLE, reason="needs a person"),
    PageOutput(3, text="これは日本語のとても長いページです。" * 5),
    PageOutput(4, text="   "),
]
CHUNKS = [PlacedChunk(1, 1, ChunkPiece("short one", reason=BoxReason.NO_GEOMETRY), "c")]


def run(options: IngestOptions, **parts: tuple) -> object:
    return annotate(PAGES, CHUNKS, options, fake_registry(Contribution(**parts)), Deadline())


def test_nothing_runs_that_was_not_named() -> None:
    parts = {"classifiers": (FakeClassifier(error=AssertionError("asked")),)}
    found = run(IngestOptions(languages=False), **parts)
    assert (found.labels, found.entities, found.summaries, found.tags, found.languages) == ({}, {}, {}, {}, {})


def test_the_first_classifier_with_an_opinion_wins_a_facet() -> None:
    first = FakeClassifier(id="first", facets={"type": [("invoice", 0.4)]})
    second = FakeClassifier(id="second", facets={"type": [("letter", 0.9)], "unit": [("sales", 0.8)]})
    options = IngestOptions(classification=AnnotationSelection(document_ids=("first", "second")))
    found = run(options, classifiers=(first, second))
    assert {facet: (who, labels[0].label) for facet, (who, labels) in found.labels["document"].items()} == {
        "type": ("first", "invoice"),
        "unit": ("second", "sales"),
    }


def test_a_classifier_whose_every_facet_is_taken_is_not_asked() -> None:
    """Naming two lanes for one facet pays for one call, not two."""
    first = FakeClassifier(id="first", facets={"type": [("invoice", 0.4)]})
    second = FakeClassifier(id="second", facets={"type": [("letter", 0.9)]}, error=AssertionError("asked"))
    options = IngestOptions(classification=AnnotationSelection(document_ids=("first", "second")))
    assert run(options, classifiers=(first, second)).labels["document"]["type"][0] == "first"


def test_pages_and_chunks_are_annotated_under_their_own_ids_and_only_what_was_read() -> None:
    classifier = FakeClassifier(id="c", facets={"type": [("invoice", 0.4)]})
    options = IngestOptions(classification=AnnotationSelection(page_ids=("c",), chunk_ids=("c",)))
    found = run(options, classifiers=(classifier,))
    assert sorted(found.labels) == ["page:1", "page:1/chunk:1", "page:3"]


def test_spans_are_kept_by_block_and_index_its_own_text() -> None:
    extractor = FakeExtractor(id="e", words={"short": "adjective"})
    found = run(IngestOptions(extraction=ExtractionSelection(page_ids=("e",))), extractors=(extractor,))
    ((who, spans),) = found.entities["page:1"].values()
    assert who == "e"
    assert [PAGES[0].text[span.start : span.end] for span in spans] == ["short"]


def test_each_part_of_an_enrichment_is_won_separately() -> None:
    summarises = FakeEnricher(id="summarises")
    tags = FakeEnricher(id="tags", tags=("billing",))
    options = IngestOptions(enrichment=AnnotationSelection(document_ids=("summarises", "tags")))
    found = run(options, enrichers=(summarises, tags))
    assert found.summaries["document"][0] == "summarises"
    assert found.tags["document"][0] == "tags"


def test_the_document_language_is_weighted_by_how_much_text_each_score_covers() -> None:
    """With a flat mean, a title page of two words outvotes a chapter."""
    found = run(IngestOptions(), language_detectors=(FakeLanguageDetector(),))
    scores = {score.language: score.confidence for score in found.languages["document"][1]}
    short, long = len(PAGES[0].text), len(PAGES[2].text)
    one_language = FakeLanguageDetector().detect([PAGES[2].text])[0][0].confidence
    assert scores["ja"] == round(one_language * long / (short + long), 6)
    assert sorted(found.languages) == ["document", "page:1", "page:3"]


def test_an_unknown_charge_makes_the_total_unknown() -> None:
    from indx_core.execution.annotate import Annotations

    total = Annotations()
    total.charge(0.5)
    total.charge(None)
    total.charge(0.25)
    assert total.cost_usd is None


def test_full_width_and_half_width_forms_of_a_name_are_one_count_that_keeps_its_forms() -> None:
    from indx_core.contracts.annotation import EntitySpan

    def span(surface: str) -> EntitySpan:
        return EntitySpan(label="organization", surface=surface, start=0, end=len(surface), confidence=1)

    counts = entity_counts([span("ＡＢＣ株式会社"), span("ABC株式会社"), span("山田"), span("山田太郎")])
    assert counts["organization"][0] == {
        "surface": "ABC株式会社",
        "count": 2,
        "forms": ["ABC株式会社", "ＡＢＣ株式会社"],
    }
    assert [entry["surface"] for entry in counts["organization"][1:]] == ["山田", "山田太郎"]


def test_no_entities_is_no_key_at_all() -> None:
    from indx_core.execution.annotate import Annotations

    assert entity_metadata(Annotations()) == {}


class _Moody(FakeEnricher):
    """Fails for some texts, like a model whose answer is sometimes no JSON."""

    def enrich(self, texts):
        from indx_core.contracts.errors import CapabilityUnavailable

        self.calls = [*getattr(self, "calls", []), len(texts)]
        if any(text.startswith(self.bad) for text in texts):
            raise CapabilityUnavailable("the answer is no JSON", details={"cost_usd": 0.5})
        return super().enrich(texts)

    @property
    def descriptor(self):
        return super().descriptor.model_copy(update={"model": "some/model"})


def moody(bad: str) -> _Moody:
    found = _Moody(id="moody")
    found.bad = bad
    return found


def test_one_bad_answer_costs_one_text_with_a_finding_and_its_charge() -> None:
    enricher = moody("short")
    found = run(IngestOptions(enrichment=AnnotationSelection(page_ids=("moody",))), enrichers=(enricher,))
    assert sorted(found.summaries) == ["page:3"]
    assert [finding.code for finding in found.findings] == ["not_annotated"]
    assert found.cost_usd == 0.5
    assert enricher.calls == [1, 1], "a lane with a model is asked text by text"


def test_an_annotator_that_answers_nothing_at_all_fails_the_document() -> None:
    from indx_core.contracts.errors import CapabilityUnavailable

    with pytest.raises(CapabilityUnavailable, match="no JSON"):
        run(IngestOptions(enrichment=AnnotationSelection(page_ids=("moody",))), enrichers=(moody(""),))


def test_an_external_annotator_stops_once_the_budget_is_spent() -> None:
    paid = FakeClassifier(id="paid", device=Device.EXTERNAL, cost_usd=0.2)
    options = IngestOptions(classification=AnnotationSelection(document_ids=("paid",), page_ids=("paid",)))
    registry = fake_registry(Contribution(classifiers=(paid,)))
    found = annotate(PAGES, CHUNKS, options, registry, Deadline(), Purse(Budget(maximum_cost_usd=0.1)))
    assert found.cost_usd == 0.2
    assert sorted(found.labels) == ["document"]
    assert [finding.code for finding in found.findings] == ["budget_spent"]


MIXED = [
    PageOutput(1, text="これはAcmeの日本語のページです。"),
    PageOutput(2, text="An English page about Acme."),
    PageOutput(3, text="1234 5678"),
]
MIXED_CHUNKS = [PlacedChunk(p.number, 1, ChunkPiece(p.text, reason=BoxReason.NO_GEOMETRY), "c") for p in MIXED]


class _Recording(FakeExtractor):
    """Remembers what it was asked about."""

    def extract(self, texts):
        self.asked = [*getattr(self, "asked", []), *texts]
        return super().extract(texts)


def by_language(**fields: object) -> tuple[object, dict[str, list[str]]]:
    """What is found, and which texts each lane was asked about."""
    lanes = [_Recording(id=name, words={"Acme": name, "1234": name}) for name in ("general", "japanese", "both")]
    registry = fake_registry(Contribution(extractors=tuple(lanes), language_detectors=(FakeLanguageDetector(),)))
    options = IngestOptions(extraction=ExtractionSelection(**fields))
    found = annotate(MIXED, MIXED_CHUNKS, options, registry, Deadline())
    return found, {lane.id: getattr(lane, "asked", []) for lane in lanes}


def test_a_page_of_a_named_language_goes_to_its_own_lanes_and_every_other_page_to_the_general_ones() -> None:
    """Page 2 has a language nobody named and page 3 none at all."""
    _found, asked = by_language(page_ids=("general",), page_ids_by_language={"ja": ("japanese",)})
    assert asked == {"japanese": [MIXED[0].text], "general": [MIXED[1].text, MIXED[2].text], "both": []}


def test_without_general_lanes_a_page_without_a_named_language_is_not_asked_about() -> None:
    found, asked = by_language(page_ids_by_language={"ja": ("japanese",)})
    assert asked["japanese"] == [MIXED[0].text]
    assert {block for block, labels in found.entities.items() if labels} == {"page:1"}


def test_a_chunk_follows_the_language_of_its_page() -> None:
    _found, asked = by_language(chunk_ids=("general",), chunk_ids_by_language={"en": ("both",)})
    assert asked["both"] == [MIXED[1].text]
    assert asked["general"] == [MIXED[0].text, MIXED[2].text]


def test_a_lane_of_several_languages_is_asked_once_and_credited_once() -> None:
    found, asked = by_language(page_ids_by_language={"ja": ("japanese", "both"), "en": ("both",)})
    assert asked["both"] == [MIXED[0].text, MIXED[1].text]
    credited = [component.id for component in found.components if component.role == "extractor"]
    assert credited == ["japanese", "both"]


def test_the_order_of_a_languages_own_list_says_who_wins_a_label() -> None:
    lanes = tuple(FakeExtractor(id=name, words={"Acme": "organization"}) for name in ("a", "b"))
    registry = fake_registry(Contribution(extractors=lanes, language_detectors=(FakeLanguageDetector(),)))
    extraction = ExtractionSelection(page_ids_by_language={"ja": ("a", "b"), "en": ("b", "a")})
    found = annotate(MIXED, [], IngestOptions(extraction=extraction), registry, Deadline())
    assert [found.entities[block]["organization"][0] for block in ("page:1", "page:2")] == ["a", "b"]
    assert list(found.entities) == ["page:1", "page:2", "page:3"]


class _Batched(_Moody):
    """A local model that reads many texts at the cost of few."""

    @property
    def descriptor(self):
        return super().descriptor.model_copy(update={"batch": 2, "device": self.device})


@pytest.mark.parametrize(
    ("device", "purse", "calls"),
    [
        (Device.CPU, None, [2, 1]),
        (Device.EXTERNAL, Purse(Budget(maximum_cost_usd=1.0)), [1, 1, 1]),
    ],
    ids=["as it says", "one by one where its price is held against a budget"],
)
def test_a_lane_with_a_model_may_say_how_many_texts_it_is_best_handed(
    device: Device, purse: Purse | None, calls: list[int]
) -> None:
    lane = _Batched(id="moody", device=device)
    lane.bad = "nothing"
    options = IngestOptions(languages=False, enrichment=AnnotationSelection(page_ids=("moody",)))
    annotate(MIXED, [], options, fake_registry(Contribution(enrichers=(lane,))), Deadline(), purse)
    assert lane.calls == calls
