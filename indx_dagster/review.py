"""``indx review``: the queue of pages that wait for a person, and answers that are read again at once.

Belongs here: arguments, the replay that takes an answer up, and printing. Does not: the rules of the queue
(``indx_core/app/review``). Dagster is imported inside the command that runs it.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from indx_core.app.cli.output import json_option, print_json, say, wants_json
from indx_dagster.cli import FAILED
from indx_dagster.home import prepare_home

if TYPE_CHECKING:
    from indx_core.app.review.queue import WaitingPage
    from indx_dagster.launch import Session
    from indx_dagster.summary import Tally

Images = tuple[dict[tuple[str, int], Path], dict[tuple[str, int], str]]


@click.group("review")
def review() -> None:
    """Pages that no automatic reader could read: what waits, and a person's answers."""


@review.command("list")
@click.option("--corpus", help="Only documents of this corpus.")
@click.option("--images", type=click.Path(file_okay=False, path_type=Path), help="Write each page's picture here.")
@json_option
def list_waiting(corpus: str | None, images: Path | None, *, as_json: bool | None) -> None:
    """Show every page that waits: document, page, why, and what was tried before.

    Example: indx review list --images waiting/
    """
    from indx_core.app.review.queue import waiting_pages
    from indx_core.kit.lake import Lake

    waiting = waiting_pages(Lake.open(), corpus)
    pictures: Images = ({}, {})
    if images is not None:
        from indx_core.app.review.images import write_images
        from indx_core.kit.registry import discover

        pictures = write_images(waiting, images, discover())
    if wants_json(as_json=as_json):
        rows = [_row(page, *pictures) for page in waiting]
        print_json(rows)
    else:
        _print(waiting, *pictures)


@review.command("answer")
@click.argument("key")
@click.argument("page", type=click.IntRange(min=1))
@click.option("--text", help="What stands on the page; empty for a blank page.")
@click.option("--file", type=click.File(encoding="utf-8-sig"), help="A UTF-8 file with it; - is standard input.")
@click.option("--reviewer", required=True, help="Who read the page.")
@json_option
def answer(key: str, page: int, text: str | None, file: Any, reviewer: str, *, as_json: bool | None) -> None:
    """Store what a person read on PAGE of the document KEY, and read the document again with it.

    The answer holds for these bytes of the document: one that changes waits anew. A second answer replaces the first.
    The plan of record is replayed, so the page's chunks, vectors and annotations follow; every document of the same
    bytes is replayed with it.

    Example: indx review answer sample/fax.pdf 2 --file page2.txt --reviewer "Sato"
    """
    prepare_home()
    from indx_core.app.review.queue import open_count, record_answer
    from indx_core.kit.config import load_config
    from indx_dagster.launch import Session
    from indx_dagster.summary import Tally

    tally = Tally()
    session = Session(load_config(), tally.add)
    keys = record_answer(session.lake, key, page, _answer_text(text, file), reviewer)
    _replay(session, keys, tally)
    result = {
        "document": key,
        "page": page,
        "reviewer": reviewer.strip(),
        "read_again": keys,
        "pages_waiting": open_count(session.lake, keys),
        "failures": _failures(tally),
    }
    if wants_json(as_json=as_json):
        print_json(result)
    else:
        click.echo(f"page {page} of {key} is read as {reviewer.strip()} answered; {result['pages_waiting']} wait")
        for failure in _failures(tally):
            click.secho(f"{failure['document']}: {failure['message']}\n→ {failure['remedy']}", fg="red", err=True)
    sys.exit(FAILED if tally.failures else 0)


def _answer_text(text: str | None, file: Any) -> str:
    if (text is None) == (file is None):
        raise click.UsageError("give the answer with --text or with --file, and not with both")
    try:
        return text if text is not None else str(file.read())
    except UnicodeDecodeError:
        raise click.UsageError("the file of the answer is not UTF-8") from None


def _replay(session: "Session", keys: Sequence[str], tally: "Tally") -> None:
    """Read the documents again along their plans of record, in one run.

    Raises:
        InternalError: The run broke off. The answer is stored, and the next ingest takes it up.
    """
    from assets.batches import Batch
    from assets.sources import named_sources
    from indx_core.contracts.errors import InternalError
    from indx_dagster.jobs import REPLAYED

    result = session.run(Batch("replay", REPLAYED, tuple(named_sources(keys, session.lake, session.loaded))))
    if tally.documents < len(keys):
        remedy = f"the answer is stored: see run {result.run_id} in the UI, then `indx ingest`"
        raise InternalError(f"the run {result.run_id} broke off", remedy=remedy)


def _failures(tally: "Tally") -> list[dict[str, str]]:
    return [
        {"document": each.task.key, "message": each.failure.error.message, "remedy": each.failure.error.remedy}
        for each in tally.failures
        if each.failure is not None
    ]


def _row(
    page: "WaitingPage", paths: dict[tuple[str, int], Path], without: dict[tuple[str, int], str]
) -> dict[str, Any]:
    place = (page.key, page.page)
    return {
        "document": page.key,
        "page": page.page,
        "label": page.label,
        "status": page.status,
        "reason": page.reason,
        "tried": list(page.tried),
        "answered": page.answered,
        "image": str(paths[place]) if place in paths else None,
        "image_reason": without.get(place),
    }


def _print(
    waiting: Sequence["WaitingPage"], paths: dict[tuple[str, int], Path], without: dict[tuple[str, int], str]
) -> None:
    for page in waiting:
        place = (page.key, page.page)
        answered = "  (answered, to be ingested)" if page.answered else ""
        say(f"{page.key}  page {page.page}  {page.status}: {page.reason}{answered}")
        for line in (*page.tried, *(str(found[place]) for found in (paths, without) if place in found)):
            say(f"    {line}")
    click.echo(
        "no page waits" if not waiting else "1 page waits" if len(waiting) == 1 else f"{len(waiting):,} pages wait"
    )
