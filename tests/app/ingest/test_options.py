"""What a corpus names must be installed: refused before a run spends anything."""

import pytest

from indx_core.app.ingest.options import require_installed
from indx_core.app.installation import Installation
from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.capability import AnnotatorDescriptor, CapabilitySnapshot, Device
from indx_core.contracts.errors import Cause, ConfigInvalid
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.plan import Constraints
from indx_core.kit.registry import Contribution
from indx_core.testing.fakes import FakeChunker, FakeClassifier, FakeEmbedder, fake_registry


class Absent(FakeClassifier):
    """Advertised, and cannot run here."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        changes = {"available": False, "unavailable_reason": "install the 'zeroshot' extra"}
        return super().descriptor.model_copy(update=changes)


@pytest.fixture
def snapshot() -> CapabilitySnapshot:
    parts = Contribution(
        chunkers=(FakeChunker(id="lines"),),
        embedders=(FakeEmbedder(),),
        classifiers=(FakeClassifier(id="hosted", device=Device.EXTERNAL), Absent(id="absent")),
    )
    return Installation.of(fake_registry(parts)).snapshot


SPACE = (FakeEmbedder().space.id,)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"embedding_spaces": ("nowhere",)}, "nowhere"),
        ({"classification": AnnotationSelection(document_ids=("nobody",))}, "classification.document_ids"),
        ({"extraction": ExtractionSelection(page_ids=("nobody",))}, "extraction.page_ids"),
        (
            {"extraction": ExtractionSelection(page_ids_by_language={"ja": ("nobody",)})},
            r"extraction\.page_ids_by_language\.ja",
        ),
        ({"classification": AnnotationSelection(document_ids=("absent",))}, "install the 'zeroshot' extra"),
        ({"chunkers": ("lines", "paragraphs")}, "paragraphs"),
    ],
)
def test_what_is_not_installed_is_a_fault_of_the_configuration_naming_its_key(snapshot, options, named) -> None:
    with pytest.raises(ConfigInvalid, match=named) as caught:
        require_installed([IngestOptions(**{"embedding_spaces": SPACE, **options})], snapshot)
    assert caught.value.cause is Cause.DEPLOYMENT


def test_an_external_annotator_under_residency_is_refused_before_any_text_leaves(snapshot) -> None:
    options = IngestOptions(
        embedding_spaces=SPACE,
        classification=AnnotationSelection(document_ids=("hosted",)),
        constraints=Constraints(data_residency=True),
    )
    with pytest.raises(ConfigInvalid, match="external"):
        require_installed([options], snapshot)


def test_what_is_installed_passes(snapshot) -> None:
    require_installed([IngestOptions(embedding_spaces=SPACE, chunkers=("lines",))], snapshot)


def test_extraction_by_language_without_detection_is_no_configuration() -> None:
    """Without a detector's answer the mapping would be ignored in silence."""
    with pytest.raises(ValueError, match="languages = true"):
        IngestOptions(languages=False, extraction=ExtractionSelection(page_ids_by_language={"ja": ("patterns",)}))


def test_options_by_language_are_keys_and_equal_by_their_ids() -> None:
    one, same = (
        IngestOptions(extraction=ExtractionSelection(page_ids_by_language={"ja": ("a",), "en": ("b",)}))
        for _ in range(2)
    )
    other = IngestOptions(extraction=ExtractionSelection(page_ids_by_language={"ja": ("b",), "en": ("a",)}))
    assert len({one, same, other}) == 2
