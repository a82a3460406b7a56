"""The page text that signatures and parsers stand on: the format's own reader, asked through the open document."""

import pytest

from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.source import InlineSource
from indx_core.kit.intake import acquire, open_document
from indx_core.kit.registry import Contribution
from indx_core.ports.document import OpenDocument
from indx_core.testing.fakes import MEDIA_TYPE, FakeObserver, FakeReader, fake_document, fake_registry


def opened(*readers: FakeReader) -> OpenDocument:
    registry = fake_registry(Contribution(observers=(FakeObserver(),), readers=readers))
    return open_document(acquire(InlineSource(data=fake_document("one", "two")), registry), registry)


def test_the_native_reader_s_answer_is_given_and_read_once() -> None:
    reader = FakeReader()
    with opened(reader) as document:
        assert [document.native_page(2), document.native_page(2)] == [PageOutput(2, text="two")] * 2
    assert reader.asked == [(2,)]


@pytest.mark.parametrize(
    "other",
    [
        FakeReader(id="a", kind=CapabilityKind.OCR),
        FakeReader(id="a", kind=CapabilityKind.PARSER),
        FakeReader(id="a", unavailable="not here"),
        FakeReader(id="a", media_types=("text/x-other",)),
        FakeReader(id="z"),
    ],
    ids=["recognition", "parser", "unavailable", "other type", "later by id"],
)
def test_the_reader_asked_is_the_one_that_leads_the_native_rung(other: FakeReader) -> None:
    """Otherwise a signature would judge a text that the ladder never returns."""
    native = FakeReader(id="m")
    with opened(other, native) as document:
        document.native_page(1)
    assert (other.asked, native.asked) == ([], [(1,)])


def test_where_no_native_reader_can_run_there_is_no_page() -> None:
    with opened(FakeReader(unavailable="not here")) as document:
        assert document.native_page(1) is None


def test_a_page_the_reader_left_out_is_none_and_a_failed_one_comes_with_its_reason() -> None:
    failed = PageOutput(2, PageStatus.FAILED, reason="garbage")
    with opened(FakeReader(absent=frozenset({1}), outputs={2: failed})) as document:
        assert (document.native_page(1), document.native_page(2)) == (None, failed)


def test_a_failed_attempt_is_raised_and_not_remembered() -> None:
    reader = FakeReader(error=SourceUnreadable("broken"))
    with opened(reader) as document:
        for _attempt in range(2):
            with pytest.raises(SourceUnreadable):
                document.native_page(1)
    assert len(reader.asked) == 2


def test_a_document_opened_without_an_inventory_has_none() -> None:
    assert OpenDocument(b"", MEDIA_TYPE).native_page(1) is None
