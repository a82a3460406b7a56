"""An observer's answer as an Observation, and the refusals of what nothing can look at."""

import pytest

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.contracts.observation import Observation, PageObservation, TextLayer
from indx_core.contracts.source import InlineSource, Source, UriSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.kit.registry import Contribution, Registry
from indx_core.ports.observer import Observed
from indx_core.testing.fakes import FakeLoader, FakeObserver, fake_document, fake_registry

PAGES = fake_document("one", "two")


def _observe(source: Source, *observers: FakeObserver) -> Observation:
    loader = FakeLoader({"memory://a": PAGES})
    registry: Registry = fake_registry(Contribution(loaders=(loader,), observers=observers or (FakeObserver(),)))
    acquired = acquire(source, registry)
    with open_document(acquired, registry) as document:
        return observe_document(acquired, document, registry)


def test_an_observation_says_what_was_seen_by_whom_and_of_which_bytes() -> None:
    observation = _observe(UriSource(uri="memory://a"))
    assert [page.number for page in observation.pages] == [1, 2]
    assert observation.byte_count == len(PAGES)
    assert observation.source_digest.startswith("sha256:")
    assert observation.media_type == "text/x-fake"
    assert (observation.loader, observation.sniffer, observation.observer) == (
        "fake-loader",
        "fake-observer",
        "fake-observer",
    )


def test_an_inline_source_of_a_declared_type_names_no_loader_and_no_sniffer() -> None:
    observation = _observe(InlineSource(data=b"plain", media_type="text/x-fake"))
    assert (observation.loader, observation.sniffer) == (None, None)


def test_the_first_observer_of_a_media_type_answers() -> None:
    source = InlineSource(data=PAGES)
    assert _observe(source, FakeObserver(distribution="one"), FakeObserver(distribution="two")).observer == "one"


@pytest.mark.parametrize(
    ("media_type", "says"),
    [
        ("text/html", "no installed observer looks at text/html"),
        ("image/vnd.dwg", "save it as DXF"),
        ("application/vnd.fujixerox.docuworks", "print it to PDF"),
        ("application/msword", "save it as .docx"),
    ],
)
def test_a_media_type_nothing_observes_is_unreadable_and_known_ones_name_a_way_out(media_type: str, says: str) -> None:
    """422 and not 415: that no capability reads a type is planning's to say, and a different refusal."""
    with pytest.raises(SourceUnreadable, match=says) as refused:
        _observe(InlineSource(data=b"bytes", media_type=media_type))
    assert (refused.value.http_status, refused.value.code) == (422, "source_unreadable")
    assert refused.value.remedy


def test_a_docuworks_file_is_known_by_its_extension() -> None:
    with pytest.raises(SourceUnreadable, match="DocuWorks"):
        _observe(InlineSource(data=b"bytes", filename="契約書.xdw"))


def test_a_typed_refusal_of_an_observer_arrives_as_it_is() -> None:
    with pytest.raises(SourceEncrypted) as refused:
        _observe(InlineSource(data=PAGES), FakeObserver(error=SourceEncrypted("a password is needed")))
    assert refused.value.param == "source"


def test_any_other_exception_of_an_observer_is_an_unreadable_source() -> None:
    with pytest.raises(SourceUnreadable, match=r"fake-observer \(ZeroDivisionError\)"):
        _observe(InlineSource(data=PAGES), FakeObserver(error=ZeroDivisionError("internal detail")))


@pytest.mark.parametrize("numbers", [(), (2,), (1, 1), (1, 3)])
def test_pages_that_are_not_numbered_from_one_are_refused(numbers: tuple[int, ...]) -> None:
    """A page that has no number of its own would vanish between the plan and the reader."""

    class Misnumbering(FakeObserver):
        def observe(self, document):  # type: ignore[no-untyped-def]
            return Observed(tuple(PageObservation(number=n, text_layer=TextLayer.PRESENT) for n in numbers))

    with pytest.raises(SourceUnreadable):
        _observe(InlineSource(data=PAGES), Misnumbering())
