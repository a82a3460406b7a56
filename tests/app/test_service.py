"""The four operations over a fake installation: composition, refusals, the block tree, the trace."""

from dataclasses import replace

import pytest

from indx_core.app.installation import Installation
from indx_core.app.service import Service
from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.block import Block, BlockKind
from indx_core.contracts.capability import CapabilityKind, Device, Modality
from indx_core.contracts.encode import EmbedRequest, EncodeRequest, ImageInput, TextInput
from indx_core.contracts.errors import (
    CapabilityUnavailable,
    ClientDisconnected,
    DataResidency,
    IndxError,
    InvalidEmbeddingSpace,
    ModalityUnsupported,
    PlanConflict,
    SnapshotNotFound,
    UnknownClassifier,
    UnsupportedGranularity,
)
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Constraints, Granularity, PlanRequest, PlanStatus
from indx_core.contracts.source import InlineSource, Source, UriSource
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Contribution
from indx_core.planning.economics import parse_economics
from indx_core.testing.fakes import (
    FakeChunker,
    FakeClassifier,
    FakeEmbedder,
    FakeEnricher,
    FakeExtractor,
    FakeLanguageDetector,
    FakeLoader,
    FakeObserver,
    FakeReader,
    fake_document,
    fake_registry,
)

URI = "memory://documents/report"
PAGES = ("first page\n\nsecond paragraph", "second page")


def service(*extra: Contribution, **replaced: object) -> Service:
    """A service over one fake per port and a manual rung; ``replaced`` swaps whole ports."""
    parts: dict[str, object] = {
        "loaders": (FakeLoader(objects={URI: fake_document(*PAGES)}),),
        "observers": (FakeObserver(),),
        "readers": (FakeReader(id="native"), manual()),
        "chunkers": (FakeChunker(),),
        "embedders": (FakeEmbedder(),),
    }
    return Service(Installation.of(fake_registry(Contribution(**{**parts, **replaced}), *extra)))


def manual() -> FakeReader:
    outputs = {n: PageOutput(n, PageStatus.UNREADABLE, reason="needs a person") for n in range(1, 10)}
    return FakeReader(id="manual", kind=CapabilityKind.MANUAL, media_types=(), outputs=outputs)


def request(**fields: object) -> EncodeRequest:
    return EncodeRequest(**{"source": UriSource(uri=URI), **fields})


def by_id(blocks: tuple[Block, ...]) -> dict[str, Block]:
    return {block.id: block for block in blocks}


def test_a_plan_names_who_fetched_recognised_and_observed_the_source() -> None:
    result = service().plan(PlanRequest(source=UriSource(uri=URI)))
    assert result.plan.status is PlanStatus.READY
    assert result.plan.document.capability_ids == ("native", "manual")
    assert [component.role for component in result.components] == ["loader", "sniffer", "observer"]


def test_the_same_request_gets_the_same_plan_whatever_its_own_id() -> None:
    first = service().plan(PlanRequest(source=UriSource(uri=URI), request_id="a")).plan
    second = service().plan(PlanRequest(source=UriSource(uri=URI), request_id="b")).plan
    assert first.plan_id == second.plan_id
    assert (first.request_id, second.request_id) == ("a", "b")


def test_encode_without_a_plan_makes_one_and_reads_every_page() -> None:
    result = service().encode(request(embedding_space_ids=(FakeEmbedder().space.id,)))
    blocks = by_id(result.blocks)
    assert list(blocks) == ["document", "page:1", "page:1/chunk:1", "page:1/chunk:2", "page:2", "page:2/chunk:1"]
    assert blocks["document"].text == "\n".join(PAGES)
    assert blocks["page:2"].provenance.capability_id == "native"
    assert blocks["page:1/chunk:2"].parent_id == "page:1"
    assert len(blocks["page:2/chunk:1"].embeddings) == 1
    assert not blocks["page:1"].embeddings
    assert (result.usage.pages, result.usage.bytes) == (2, len(fake_document(*PAGES)))
    assert [component.role for component in result.trace.components] == ["loader", "sniffer", "observer", "chunker"]


def test_a_supplied_plan_is_replayed_and_its_trace_names_no_observer() -> None:
    """The observation happened when the plan was made."""
    subject = service()
    plan = subject.plan(PlanRequest(source=UriSource(uri=URI))).plan
    result = subject.encode(request(plan=plan))
    assert result.plan == plan
    assert "observer" not in [component.role for component in result.trace.components]


def test_a_plan_decided_for_another_source_is_refused_with_every_difference() -> None:
    subject = service()
    plan = subject.plan(PlanRequest(source=InlineSource(data=fake_document("other")))).plan
    with pytest.raises(PlanConflict) as caught:
        subject.encode(request(plan=plan))
    assert [each["field"] for each in caught.value.details["mismatches"]] == ["source_digest"]


def test_a_plan_that_counts_the_pages_of_its_source_differently_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes in another encoding are one page instead of three; followed as it stands, a plan loses pages."""
    subject, source = Service(), InlineSource(data=b"a\x0cbc\x0cd", media_type="text/plain")
    plan = subject.plan(PlanRequest(source=source)).plan
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf-16-le")
    with pytest.raises(PlanConflict) as caught:
        subject.encode(EncodeRequest(source=source, plan=plan))
    assert caught.value.details["mismatches"] == [{"field": "page_count", "planned": 3, "actual": 1}]


def test_a_plan_decided_on_another_installation_is_refused() -> None:
    plan = service().plan(PlanRequest(source=UriSource(uri=URI))).plan
    richer = service(Contribution(readers=(FakeReader(id="another"),)))
    with pytest.raises(PlanConflict, match="snapshot_id"):
        richer.encode(request(plan=plan))


def test_an_unsatisfied_plan_is_reported_as_failed_blocks_and_never_raised() -> None:
    constraints = Constraints(capability_ids=("nobody",))
    result = service().encode(request(constraints=constraints))
    blocks = by_id(result.blocks)
    assert result.plan.status is PlanStatus.UNSATISFIED
    assert blocks["document"].status is PageStatus.FAILED
    assert "capability_ids" in (blocks["document"].reason or "")
    assert result.trace.status == "failed"
    assert [block for block in result.blocks if block.kind is BlockKind.CHUNK] == []


def test_a_page_nothing_could_read_is_accounted_for_with_its_reason() -> None:
    observer = FakeObserver(text_layers={2: TextLayer.ABSENT})
    blocks = by_id(service(observers=(observer,)).encode(request()).blocks)
    assert (blocks["page:2"].status, blocks["page:2"].reason) == (PageStatus.UNREADABLE, "needs a person")
    assert blocks["page:2"].text is None
    assert blocks["document"].text == PAGES[0]


def test_without_fallbacks_a_failed_read_is_a_503_naming_page_and_reader() -> None:
    failing = FakeReader.failing(2, id="native")
    constraints = Constraints(capability_ids=("native",), fallbacks_allowed=False)
    with pytest.raises(CapabilityUnavailable, match=r"native.*page 2"):
        service(readers=(failing, manual())).encode(request(constraints=constraints))


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"granularities": (Granularity.REGION,)}, UnsupportedGranularity),
        ({"classification": AnnotationSelection(document_ids=("nobody",))}, UnknownClassifier),
        ({"embedding_space_ids": ("nowhere",)}, InvalidEmbeddingSpace),
    ],
)
def test_what_no_document_could_satisfy_is_refused_before_the_fetch(fields: dict, error: type[Exception]) -> None:
    loader = FakeLoader(objects={URI: fake_document("x")})
    with pytest.raises(error):
        service(loaders=(loader,)).encode(request(**fields))
    assert loader.loads == []


def test_residency_refuses_an_external_annotator_before_the_fetch() -> None:
    external = FakeClassifier(id="hosted", device=Device.EXTERNAL)
    loader = FakeLoader(objects={URI: fake_document("x")})
    with pytest.raises(DataResidency):
        service(Contribution(classifiers=(external,)), loaders=(loader,)).encode(
            request(
                classification=AnnotationSelection(document_ids=("hosted",)),
                constraints=Constraints(data_residency=True),
            )
        )
    assert loader.loads == []


def test_labels_and_entities_ride_the_document_block_and_chunks_carry_no_metadata() -> None:
    extra = Contribution(classifiers=(FakeClassifier(),), extractors=(FakeExtractor(words={"page": "thing"}),))
    result = service(extra).encode(
        request(
            metadata={"tenant": "acme"},
            classification=AnnotationSelection(
                document_ids=("fake-classifier",), page_ids=("fake-classifier",), chunk_ids=("fake-classifier",)
            ),
            extraction=ExtractionSelection(page_ids=("fake-extractor",)),
        )
    )
    blocks = by_id(result.blocks)
    metadata = blocks["document"].metadata
    assert metadata["tenant"] == "acme"
    assert metadata["classification"]["document_type"][0]["label"] == "memo"
    assert sorted(metadata["chunk_classification"]) == ["page:1/chunk:1", "page:1/chunk:2", "page:2/chunk:1"]
    span = metadata["entities"]["by_block"]["page:2"]["thing"][0]
    assert PAGES[1][span["start"] : span["end"]] == "page"
    assert metadata["entities"]["counts"]["thing"] == [{"surface": "page", "count": 2, "forms": ["page"]}]
    assert "classification" in blocks["page:1"].metadata
    assert all(not block.metadata for block in result.blocks if block.kind is BlockKind.CHUNK)


@pytest.mark.parametrize("key", ["languages", "classification", "entities", "enrichment", "chunk_enrichment"])
def test_a_metadata_key_the_executor_writes_is_refused(key: str) -> None:
    """A label silently replaced is a label the caller believes travelled and did not."""
    with pytest.raises(ValueError, match=key):
        request(metadata={key: 1})


def test_only_the_granularities_asked_for_come_back() -> None:
    result = service().encode(request(granularities=(Granularity.PAGE,)))
    assert [block.id for block in result.blocks] == ["page:1", "page:2"]


def test_provenance_says_what_the_source_was_read_as_and_where_it_came_from() -> None:
    from_uri = by_id(service().encode(request()).blocks)["document"].provenance
    assert (from_uri.media_type, from_uri.source_uri, from_uri.filename) == ("text/x-fake", URI, None)
    inline = InlineSource(data=fake_document("x"), filename="memo.txt")
    uploaded = by_id(service().encode(EncodeRequest(source=inline)).blocks)["document"].provenance
    assert (uploaded.source_uri, uploaded.filename) == (None, "memo.txt")


def test_a_caller_who_hung_up_stops_the_work() -> None:
    deadline = Deadline()
    deadline.disconnect()
    with pytest.raises(ClientDisconnected):
        service().encode(request(), deadline)


def test_a_query_is_embedded_by_its_space_and_says_by_whom() -> None:
    embedder = FakeEmbedder()
    result = service().embed(EmbedRequest(embedding_space_id=embedder.space.id, input=TextInput(text="hello")))
    assert len(result.vector) == embedder.space.dimension
    assert result.embedder == embedder.descriptor


@pytest.mark.parametrize(
    ("sees", "device", "error"),
    [(Modality.TEXT, Device.CPU, ModalityUnsupported), (Modality.IMAGE, Device.EXTERNAL, DataResidency)],
)
def test_an_image_query_that_is_not_answered_is_refused_before_the_image_is_fetched(
    sees: Modality, device: Device, error: type[IndxError]
) -> None:
    embedder = FakeEmbedder(modalities=(sees,), device=device)
    never_fetched = ImageInput(source=UriSource(uri="memory://nothing/here"))
    with pytest.raises(error):
        service(embedders=(embedder,)).embed(
            EmbedRequest(embedding_space_id=embedder.space.id, input=never_fetched, data_residency=True)
        )


@pytest.mark.parametrize(
    ("source", "param"),
    [
        (UriSource(uri="nowhere://x"), "input.image.source.uri.uri"),
        (InlineSource(data=b"?"), "input.image.source"),
    ],
)
def test_what_is_wrong_with_an_image_query_is_located_in_its_own_request(source: Source, param: str) -> None:
    embedder = FakeEmbedder(modalities=(Modality.IMAGE,))
    asked = EmbedRequest(embedding_space_id=embedder.space.id, input=ImageInput(source=source))
    with pytest.raises(IndxError) as refused:
        service(embedders=(embedder,)).embed(asked)
    assert refused.value.param == param


def test_a_space_that_is_not_installed_is_refused() -> None:
    with pytest.raises(InvalidEmbeddingSpace):
        service().embed(EmbedRequest(embedding_space_id="nowhere", input=TextInput(text="x")))


def test_a_snapshot_is_retained_once_advertised_and_another_is_not_found() -> None:
    subject = service()
    current = subject.capabilities()
    assert subject.capabilities(current.snapshot_id) == current
    with pytest.raises(SnapshotNotFound):
        subject.capabilities("sha256:unknown")


def test_quality_and_cost_of_the_trace_are_what_readers_claimed_and_charged() -> None:
    paid = FakeReader(id="native", confidence=0.8, cost_usd=0.01)
    trace = service(readers=(paid, manual())).encode(request()).trace
    assert (trace.actuals.quality, trace.actuals.cost_usd) == (0.8, 0.02)


def test_a_declared_language_stands_beside_the_detected_ones_and_in_a_replay_too() -> None:
    """LNG-02: what the format says of itself is a second opinion, never mixed into the first."""
    subject = service(
        observers=(FakeObserver(properties={"language": "ja-JP"}),), language_detectors=(FakeLanguageDetector(),)
    )
    first = by_id(subject.encode(request()).blocks)["document"].metadata
    plan = subject.plan(PlanRequest(source=UriSource(uri=URI))).plan
    replayed = by_id(subject.encode(request(plan=plan)).blocks)["document"].metadata
    assert first["declared_language"] == "ja-JP"
    assert [each["language"] for each in first["languages"]] == ["en"]
    assert replayed == first


def test_a_format_that_declares_no_language_has_no_such_key() -> None:
    assert "declared_language" not in by_id(service().encode(request()).blocks)["document"].metadata


@pytest.mark.parametrize("lane", ["space", "classifier", "extractor", "enricher"])
def test_a_priced_lane_is_held_within_the_budget_and_what_it_left_out_is_in_the_trace(lane: str) -> None:
    """Each lane charges more than the document may cost; the operator named its price, so none is asked at all."""
    paid = {"device": Device.EXTERNAL, "cost_usd": 5.0, "error": AssertionError("asked")}
    parts = {
        "space": {"embedders": (FakeEmbedder(embedder_id="paid", space_id="paid", **paid),)},
        "classifier": {"classifiers": (FakeClassifier(id="paid", **paid),)},
        "extractor": {"extractors": (FakeExtractor(id="paid", **paid),)},
        "enricher": {"enrichers": (FakeEnricher(id="paid", **paid),)},
    }[lane]
    asked = {
        "space": {"embedding_space_ids": ("paid",)},
        "classifier": {"classification": AnnotationSelection(page_ids=("paid",))},
        "extractor": {"extraction": ExtractionSelection(page_ids=("paid",))},
        "enricher": {"enrichment": AnnotationSelection(page_ids=("paid",))},
    }[lane]
    installation = replace(
        service(**parts).installation, economics=parse_economics('{"paid": {"cost_usd_per_page": 5}}')
    )
    result = Service(installation).encode(request(constraints=Constraints(maximum_cost_usd=1.0), **asked))
    assert [finding.code for finding in result.trace.findings] == ["budget_spent"]
    assert "paid left out" in result.trace.findings[0].message
    assert result.usage.cost_usd == 0.0
