"""Answers of people: found by the bytes they looked at, read like any other page, attributed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from indx_core.contracts.errors import LakeUnavailable
from indx_core.contracts.page import PageStatus
from indx_core.formats.any.answers import Answer, answered_pages, store_answer, stored_answers
from indx_core.formats.any.manual import ManualReviewReader
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_reader

SCAN = b"a scan"


@pytest.fixture
def lake(tmp_path: Path) -> Iterator[Lake]:
    with overriding({"INDX_LAKE": str(tmp_path / "lake")}):
        yield Lake.open()


def scan(data: bytes = SCAN) -> OpenDocument:
    return OpenDocument(data, "application/pdf")


def answer(page: int, text: str, reviewer: str = "佐藤") -> Answer:
    return Answer(page, text, reviewer, "faxes/order.pdf")


def test_an_answer_is_the_text_of_its_page_without_confidence_and_says_who_read_it(lake: Lake) -> None:
    store_answer(lake, scan().digest, answer(2, "注文書\n数量 3"))
    outputs = list(ManualReviewReader().read(scan(), [1, 2]))
    assert [(o.number, o.status, o.text, o.confidence) for o in outputs] == [
        (1, PageStatus.UNREADABLE, "", None),
        (2, PageStatus.COMPLETED, "注文書\n数量 3", None),
    ]
    assert (outputs[1].reason, dict(outputs[1].metadata)) == ("read by 佐藤", {"reviewer": "佐藤"})
    check_reader(ManualReviewReader(), scan, [1, 2])


def test_a_blank_page_is_an_answer(lake: Lake) -> None:
    store_answer(lake, scan().digest, answer(1, ""))
    (output,) = ManualReviewReader().read(scan(), [1])
    assert (output.status, output.text) == (PageStatus.COMPLETED, "")


def test_answers_for_other_bytes_are_not_used(lake: Lake) -> None:
    store_answer(lake, scan(b"the version before").digest, answer(1, "old"))
    (output,) = ManualReviewReader().read(scan(), [1])
    assert output.status is PageStatus.UNREADABLE


def test_a_second_answer_replaces_the_first_and_leaves_other_pages_alone(lake: Lake) -> None:
    for each in (answer(1, "one"), answer(10, "ten"), answer(1, "One", "Suzuki")):
        store_answer(lake, scan().digest, each)
    assert stored_answers(lake, scan().digest) == {1: answer(1, "One", "Suzuki"), 10: answer(10, "ten")}
    assert stored_answers(lake, scan().digest, [10]) == {10: answer(10, "ten")}
    assert answered_pages(lake) == {scan().digest: {1, 10}}


def test_without_answers_a_document_costs_one_listing_and_opens_no_object(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(type(lake.store), "get", lambda _store, name: asked.append(f"get {name}"))
    monkeypatch.setattr(type(lake.store), "list", lambda _store, prefix: asked.append(f"list {prefix}") or iter(()))
    list(ManualReviewReader().read(scan(), range(1, 500)))
    assert [each.split()[0] for each in asked] == ["list"]


def test_a_lake_that_does_not_answer_is_not_taken_for_one_without_answers(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page would be recorded as unreadable, and a person's work be lost without a word."""

    def down(_store: object, _prefix: str) -> Iterator[object]:
        raise LakeUnavailable("the lake's store failed")

    monkeypatch.setattr(type(lake.store), "list", down)
    with pytest.raises(LakeUnavailable):
        list(ManualReviewReader().read(scan(), [1]))


def test_an_object_that_is_no_page_is_left_alone(lake: Lake) -> None:
    lake.store.put("reviews/notes.parquet", b"not ours")
    lake.store.put("reviews/sha256%3Aabc/x.parquet", b"not ours")
    assert answered_pages(lake) == {}
    assert stored_answers(lake, "sha256:abc") == {}
