"""The queue over a real lake, without Dagster: what waits, which answers are taken, which still have to be run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app.ingest.documents import Corner

from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.app.review.applied import unapplied
from indx_core.app.review.images import write_images
from indx_core.app.review.queue import open_count, record_answer, waiting_pages
from indx_core.contracts.errors import RequestInvalid, SourceUnreadable
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints, RoutePlan
from indx_core.formats.any.answers import Answer, store_answer, stored_answers
from indx_core.kit.settings import overriding

ONLY_PEOPLE = IngestOptions(
    languages=False, embedding_spaces=(), constraints=Constraints(capability_ids=("manual-review",))
)
REPLAYED = (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Corner]:
    """Two documents that only people read: ``a`` of two pages, ``b`` of one."""
    with overriding({"INDX_LAKE": str(tmp_path / "lake")}):
        found = Corner(tmp_path, request.param, ONLY_PEOPLE)
        found.write("a.txt", "first\fsecond")
        found.write("b.txt", "another")
        found.run(found.task("a.txt"), found.task("b.txt"))
        yield found


def replay(corner: Corner, name: str) -> DocumentOutcome:
    plans = corner.lake.dataset("plans").to_table().to_pylist()
    plan = next(RoutePlan.model_validate_json(row["plan"]) for row in plans if row["key"] == f"corner/{name}")
    return corner.run(corner.task(name, REPLAYED, plan=plan))[0]


def waiting(corner: Corner) -> list[tuple[str, int, bool]]:
    return [(page.key, page.page, page.answered) for page in waiting_pages(corner.lake)]


def behind(corner: Corner) -> set[str]:
    rows = corner.lake.dataset("sources").to_table(columns=["key", "source_digest"]).to_pylist()
    digests = {row["key"]: row["source_digest"] for row in rows}
    return unapplied(corner.lake, digests, lambda key: partition_name(key, corner.config))


def test_the_queue_holds_every_page_that_was_not_read_and_can_be_asked_by_corpus(corner: Corner) -> None:
    assert waiting(corner) == [("corner/a.txt", 1, False), ("corner/a.txt", 2, False), ("corner/b.txt", 1, False)]
    assert {page.status for page in waiting_pages(corner.lake)} == {"unreadable"}
    assert all(page.reason.startswith("a person has to read") for page in waiting_pages(corner.lake))
    assert waiting_pages(corner.lake, "elsewhere") == []
    assert open_count(corner.lake, ["corner/a.txt"]) == 2


def test_an_answer_is_the_pages_text_with_its_reviewer_after_a_replay(corner: Corner) -> None:
    assert record_answer(corner.lake, "corner/a.txt", 2, "what stands\r\nthere", " Sato ") == ["corner/a.txt"]
    assert ("corner/a.txt", 2, True) in waiting(corner)
    outcome = replay(corner, "a.txt")
    facts = outcome.reports[Stage.PAGE_READS].facts
    assert (facts["pages_waiting"], facts["pages_reviewed"], facts["readers"]) == (1, 1, {"manual-review": 2})
    pages = corner.lake.read_document("pages", outcome.task.partition, "corner/a.txt").to_pylist()
    assert [(p["status"], p["text"], p["metadata"], p["confidence"], p["reason"]) for p in pages][1] == (
        "completed",
        "what stands\nthere",
        '{"reviewer":"Sato"}',
        None,
        "read by Sato",
    )
    chunks = corner.lake.read_document("chunks", outcome.task.partition, "corner/a.txt").to_pylist()
    assert [(chunk["page"], chunk["text"], chunk["bbox_reason"]) for chunk in chunks] == [
        (2, "what stands\nthere", "no_geometry")
    ]
    assert waiting(corner) == [("corner/a.txt", 1, False), ("corner/b.txt", 1, False)]


def test_what_a_reader_refused_before_is_shown_with_the_page(tmp_path: Path) -> None:
    """A reviewer wants to know that recognition was unsure, not merely that a person is needed."""
    with overriding({"INDX_LAKE": str(tmp_path / "lake"), "INDX_VALIDATION_MIN_CONFIDENCE": "0.5"}):
        corner = Corner(tmp_path)
        corner.write("a.txt", "words")
        task = corner.task("a.txt")
        corner.run(task)
        events = corner.lake.read_document("trace", task.partition, task.key).to_pylist()
        refused = {**events[0], "status": "failed", "reason": "smudged", "pages": [1]}
        from indx_core.kit.lake import encode_table, rows_table

        corner.lake.write("trace", task.partition, encode_table(rows_table("trace", [refused])))
        pages = corner.lake.read_document("pages", task.partition, task.key).to_pylist()
        unread = {**pages[0], "status": "unreadable", "reason": "needs a person", "capability_id": "manual-review"}
        corner.lake.write("pages", task.partition, encode_table(rows_table("pages", [unread])))
        (page,) = waiting_pages(corner.lake)
        assert (page.reason, page.tried) == ("needs a person", ("text-extraction: smudged",))


def test_an_answer_is_behind_until_a_run_takes_it_up(corner: Corner) -> None:
    assert behind(corner) == set()
    record_answer(corner.lake, "corner/a.txt", 1, "one", "Sato")
    assert behind(corner) == {"corner/a.txt"}
    first = replay(corner, "a.txt").reports[Stage.PAGE_READS].data_version
    assert behind(corner) == set()
    record_answer(corner.lake, "corner/a.txt", 1, "one", "Suzuki")
    assert behind(corner) == {"corner/a.txt"}
    assert replay(corner, "a.txt").reports[Stage.PAGE_READS].data_version != first
    assert behind(corner) == set()


def test_an_answered_document_replays_to_the_same_bytes_and_version(corner: Corner) -> None:
    record_answer(corner.lake, "corner/a.txt", 1, "one", "Sato")
    first = replay(corner, "a.txt").reports[Stage.PAGE_READS].data_version
    before = corner.objects()
    assert replay(corner, "a.txt").reports[Stage.PAGE_READS].data_version == first
    assert corner.objects() == before


def test_an_answer_is_not_used_for_a_changed_source(corner: Corner) -> None:
    record_answer(corner.lake, "corner/b.txt", 1, "what stood there", "Sato")
    corner.write("b.txt", "changed")
    corner.run(corner.task("b.txt"))
    assert ("corner/b.txt", 1, False) in waiting(corner)
    assert behind(corner) == set()


def test_copies_of_a_document_are_answered_together(corner: Corner) -> None:
    corner.write("copy.txt", "another")
    corner.run(corner.task("copy.txt"))
    assert record_answer(corner.lake, "corner/b.txt", 1, "once", "Sato") == ["corner/b.txt", "corner/copy.txt"]
    assert behind(corner) == {"corner/b.txt", "corner/copy.txt"}


@pytest.mark.parametrize(
    ("key", "page", "text", "reviewer", "error", "says"),
    [
        ("corner/a.txt", 3, "x", "Sato", SourceUnreadable, "no page 3"),
        ("corner/nowhere.txt", 1, "x", "Sato", SourceUnreadable, "no page 1"),
        ("corner/a.txt", 1, "x", " ", RequestInvalid, "names its reviewer"),
        ("corner/a.txt", 1, "x", "Sa\nto", RequestInvalid, "names its reviewer"),
        ("corner/a.txt", 1, "a\0b", "Sato", RequestInvalid, "NUL"),
        ("corner/a.txt", 1, "a\ud800b", "Sato", RequestInvalid, "half a character"),
    ],
)
def test_an_answer_to_nothing_or_of_nobody_is_refused_and_not_stored(
    corner: Corner, key: str, page: int, text: str, reviewer: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        record_answer(corner.lake, key, page, text, reviewer)
    assert corner.lake.partitions("reviews") == []


def test_a_page_that_a_reader_read_takes_no_answer_and_leaves_one_of_before_unused(corner: Corner) -> None:
    record_answer(corner.lake, "corner/a.txt", 1, "by hand", "Sato")
    corner.run(corner.task("a.txt", options=IngestOptions(languages=False)))
    with pytest.raises(RequestInvalid, match="was read by text-extraction"):
        record_answer(corner.lake, "corner/a.txt", 1, "x", "Sato")
    assert behind(corner) == set()


def test_a_page_of_an_unsatisfied_plan_says_that_no_person_is_on_its_route(corner: Corner) -> None:
    corner.run(corner.task("a.txt", options=IngestOptions(constraints=Constraints(capability_ids=("gone",)))))
    assert waiting_pages(corner.lake)[0].status == "failed"
    with pytest.raises(RequestInvalid, match="ended before a person was asked: the plan is unsatisfied"):
        record_answer(corner.lake, "corner/a.txt", 1, "x", "Sato")


def test_an_answer_for_bytes_that_no_document_has_makes_nothing_stale(corner: Corner) -> None:
    store_answer(corner.lake, "sha256:0", Answer(1, "x", "Sato", "corner/gone.txt"))
    assert behind(corner) == set()
    assert list(stored_answers(corner.lake, "sha256:0")) == [1]


def test_pictures_are_written_per_page_and_a_page_without_one_says_why(tmp_path: Path) -> None:
    from PIL import Image

    with overriding({"INDX_LAKE": str(tmp_path / "lake")}):
        corner = Corner(tmp_path, options=ONLY_PEOPLE)
        corner.root.joinpath("年度").mkdir()
        for name in ("年度/scan.png", "later.png"):
            Image.new("RGB", (90, 40), "white").save(corner.root / name)
        corner.write("note.txt", "text")
        corner.run(*(corner.task(name) for name in ("年度/scan.png", "later.png", "note.txt")))
        Image.new("RGB", (90, 40), "black").save(corner.root / "later.png")
        paths, without = write_images(waiting_pages(corner.lake), tmp_path / "out", Installation.current().registry)
    assert {key: path.relative_to(tmp_path / "out").as_posix() for key, path in paths.items()} == {
        ("corner/年度/scan.png", 1): "corner/年度/scan.png/page-1.png"
    }
    with Image.open(paths["corner/年度/scan.png", 1]) as picture:
        assert picture.size == (90, 40)
    assert without == {
        ("corner/later.png", 1): "the source changed since it was read: ingest it again before anyone answers",
        ("corner/note.txt", 1): "pages of text/plain cannot be rendered",
    }
