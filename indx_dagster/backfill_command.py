"""``indx backfill``: what would run, why and at what price; then, once somebody agrees, in batches within a budget.

Belongs here: arguments, the question, progress and printing. Does not: selection and accounting (``backfill.py``) and
prices (``quote.py``). Dagster is imported inside the command.
"""

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from indx_core.app.cli.output import counted, json_option, print_json, wants_json
from indx_core.app.cli.streams import is_terminal
from indx_dagster.cli import FAILED, corpora_named, discovered
from indx_dagster.home import prepare_home

if TYPE_CHECKING:
    from indx_dagster.backfill import Backfill, Left, Selection
    from indx_dagster.launch import Session
    from indx_dagster.quote import Quoted
    from indx_dagster.summary import Tally

OVER_BUDGET = 9
"""Exit status when the budget left documents out: they are stale still."""
STAGES = ("observation", "plan", "page_reads", "chunks", "embeddings", "annotations")
REASONS = ("missing", "source", "settings", "engines", "answered", "lake")
"""Repeated from ``backfill.py`` and the core, which a help page does not import; a test compares them."""
SHOWN = 20
"""Documents listed on a terminal; JSON has them all."""


@click.command("backfill")
@click.argument("what", nargs=-1)
@click.option("--stage", "stages", multiple=True, type=click.Choice(STAGES), help="Run these, and what they need.")
@click.option("--reason", "reasons", multiple=True, type=click.Choice(REASONS), help="Only what is stale for this.")
@click.option("--from", "first", help="First partition, inclusive, in the order of names.")
@click.option("--to", "last", help="Last partition, inclusive.")
@click.option("--failed", is_flag=True, help="Only documents whose last attempt failed, refusals included.")
@click.option("--force", is_flag=True, help="Documents that are up to date, too.")
@click.option("--budget-usd", type=click.FloatRange(min=0), help="Stop before the runs come to more than this.")
@click.option("--dry-run", is_flag=True, help="Only say what would run, why, and at what price.")
@click.option("--yes", is_flag=True, help="Run without asking.")
@json_option
def backfill(
    what: tuple[str, ...],
    *,
    budget_usd: float | None,
    dry_run: bool,
    yes: bool,
    as_json: bool | None,
    **selected: Any,
) -> None:
    """Bring corpora or paths up to date, after saying what would run, why, and at what price.

    WHAT is the name of a corpus, a folder, a file, or a URI; by default every corpus of indx.toml. Documents without a
    plan are planned for the price, and only the listing is written before you agree. With a budget, a batch starts only
    when all that it may cost still fits; what does not fit stays stale and is named, with exit status 9.

    Example: indx backfill contracts --reason engines --budget-usd 5 --dry-run
    """
    prepare_home()
    from indx_core.kit.config import load_config
    from indx_dagster.backfill import Backfill
    from indx_dagster.launch import Session

    loaded = load_config()
    session = Session(loaded)
    corpora = corpora_named(what, loaded, session.installation.registry)
    sources = discovered(session, corpora, record=not dry_run)
    chosen = _selection(**selected).of(sources, session.stale(sources), session.lake, loaded)
    quoted = _quote(session, chosen)
    budget = budget_usd if budget_usd is not None else loaded.config.budget_usd
    planned = Backfill(session, quoted, budget)
    as_json = wants_json(as_json=as_json)
    if dry_run or not quoted:
        _show_quote(planned, documents=True, as_json=as_json)
        return
    if not as_json:
        _show_quote(planned, documents=False, as_json=False)
    _agree(len(quoted), yes=yes)
    tally, left = _run(planned)
    _show_result(planned, tally, left, as_json=as_json)
    sys.exit(OVER_BUDGET if left else FAILED if tally.unrefused_failures else 0)


def _selection(stages: Sequence[str], reasons: Sequence[str], **rest: Any) -> "Selection":
    from indx_core.contracts.ingest import Stage
    from indx_dagster.backfill import Selection

    return Selection(frozenset(Stage(stage) for stage in stages), frozenset(reasons), **rest)


def _quote(session: "Session", chosen: Sequence[Any]) -> "list[Quoted]":
    """Price the documents, with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from indx_dagster.quote import Quoter

    quoter = Quoter(session.loaded, session.installation, session.lake)
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal or not chosen) as bar:
        shown = bar.add_task("planning", total=len(chosen))
        return quoter.quote(chosen, lambda _quoted: bar.update(shown, advance=1))


def _run(planned: "Backfill") -> "tuple[Tally, list[Left]]":
    from indx_dagster.cli import progress_of, wait_for
    from indx_dagster.summary import Tally

    tally = Tally()
    with progress_of(len(planned.quoted), tally) as on_outcome:
        return tally, planned.run(on_outcome, partial(wait_for, planned.session))


def _agree(documents: int, *, yes: bool) -> None:
    """Ask; where nobody can be asked, only ``--yes`` will do."""
    if yes:
        return
    if not is_terminal(sys.stdin):
        raise click.UsageError("nobody can be asked here: say --yes to run, or --dry-run to look")
    click.confirm(f"Run {counted(documents, 'document')}?", abort=True, err=True)


def _show_quote(planned: "Backfill", *, documents: bool, as_json: bool) -> None:
    from indx_dagster.quote import summary

    found = summary(planned.quoted)
    if as_json:
        rows = [_row(each) for each in planned.quoted]
        print_json({"quote": found, "documents": rows})
        return
    from indx_dagster.printing import print_quote

    print_quote(found, [_row(each) for each in planned.quoted[:SHOWN]] if documents else [], planned.budget_usd)


def _row(each: "Quoted") -> dict[str, Any]:
    return {
        "document": each.stale.source.key,
        "bytes": each.stale.source.byte_count,
        "stages": [stage.value for stage in each.stale.stages],
        "reasons": list(each.stale.reasons),
        "expected_usd": each.estimate.expected_usd,
        "at_most_usd": each.estimate.at_most_usd,
        "unknown_prices": list(each.estimate.unpriced),
        "would_be_refused": None if each.problem is None else each.problem.message,
    }


def _show_result(planned: "Backfill", tally: "Tally", left: "Sequence[Left]", *, as_json: bool) -> None:
    from indx_dagster.quote import summary

    result = {
        "backfill": planned.id,
        "runs": planned.runs,
        "documents": tally.documents,
        "pages": dict(tally.pages),
        "refused": dict(tally.refusals),
        "cost_usd": tally.cost_usd,
        "cost_known": tally.cost_known,
        "left_by_the_budget": [{"document": each.key, "at_most_usd": each.at_most_usd} for each in left],
    }
    if as_json:
        quote = summary(planned.quoted)
        print_json({"quote": quote, "run": result})
        return
    cost = f"${tally.cost_usd:g}" + ("" if tally.cost_known else " and what nobody states a price for")
    done = f"{counted(tally.documents, 'document')} in {counted(len(planned.runs), 'run')}"
    click.echo(f"{done}, {cost}; indx/backfill of the runs: {planned.id}")
    for failure in tally.failures[:SHOWN]:
        if failure.failure is not None:
            click.secho(f"{failure.task.key}: {failure.failure.error.message}", fg="red", err=True)
    if left:
        click.echo(f"the budget leaves {counted(len(left), 'document')} as before:")
        for each in left[:SHOWN]:
            click.echo(f"  {each.key}  up to ${each.at_most_usd:g}")
