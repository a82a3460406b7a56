"""``indx ingest`` and ``indx replay``: commands of the code location, found by entry point.

Belongs here: arguments, progress and printing. Dagster is imported inside the commands, since ``indx --help`` lists
them without it.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from indx_core.app.cli.output import counted, json_option, print_json, say, wants_json
from indx_dagster.home import prepare_home

if TYPE_CHECKING:
    from assets.stale import Stale
    from indx_core.app.ingest.corpus import Corpus
    from indx_core.app.ingest.listing import ListedSource
    from indx_core.app.ingest.task import DocumentOutcome
    from indx_core.kit.config import LoadedConfig
    from indx_core.kit.registry import Registry
    from indx_dagster.launch import Session
    from indx_dagster.summary import Tally

FAILED = 5
"""Exit status when documents failed that a rerun may process; refusals are an answer and leave 0."""


@click.command("ingest")
@click.argument("what", nargs=-1)
@click.option("--dry-run", is_flag=True, help="Only say what is out of date, in which stages, and why.")
@click.option("--force", is_flag=True, help="Run every stage of every document, up to date or not.")
@click.option("--retire/--keep-gone", default=True, show_default=True, help="Retire documents that are gone, or not.")
@json_option
def ingest(what: tuple[str, ...], *, dry_run: bool, force: bool, retire: bool, as_json: bool | None) -> None:
    """Bring corpora or paths up to date: every corpus of indx.toml, or those that WHAT names.

    WHAT is the name of a corpus, a folder, a file, or a URI. A file is taken alone, under the key that it has when its
    folder or corpus is ingested; nothing is concluded about its neighbours. Documents go through observation, plan,
    page reads, chunks, embeddings and annotations in one Dagster run per batch; what is up to date is left alone.

    What is gone from a corpus that was listed whole is retired, as its sensor does it: a tombstone at once, and its
    rows leave every table at the end. A listing that misses more than retire_at_most retires nothing and says so.

    Example: indx ingest contracts/ --dry-run
    """
    prepare_home()
    from assets.stale import Stale
    from indx_core.contracts.ingest import Stage
    from indx_core.kit.config import load_config
    from indx_dagster.launch import Session
    from indx_dagster.retire import Gone

    loaded = load_config()
    session = Session(loaded)
    corpora = corpora_named(what, loaded, session.installation.registry)
    sources = discovered(session, corpora, record=not dry_run)
    gone = Gone.of(session, corpora if retire else ())
    gone.foresee(sources) if dry_run else gone.bury()
    for line in gone.said:
        click.secho(line, fg="yellow", err=True)
    everything = [Stale(source, tuple(Stage), ("forced",)) for source in sources]
    stale = everything if force else session.stale(sources)
    if dry_run:
        _show_stale(stale, gone.keys, as_json=as_json)
        return
    tally, seconds = _run(session, stale, lambda left: left if force else session.stale([s.source for s in left]))
    tally.gone, tally.serving = gone.keys, gone.remove()
    from indx_dagster.summary import corpus_state

    state = corpus_state(session.lake, sources)
    _show(state, tally, seconds, as_json=as_json)
    sys.exit(FAILED if tally.unrefused_failures else 0)


@click.command("replay")
@click.argument("keys", nargs=-1, required=True)
@json_option
def replay(keys: tuple[str, ...], *, as_json: bool | None) -> None:
    """Execute the plans of record of the documents KEYS again, exactly.

    Refuses with plan_conflict, naming every differing field, where the source or the installed capabilities moved. Of a
    document that was refused before it had a plan there is nothing to replay; its refusal stays as it is.

    Example: indx replay sample/report.pdf
    """
    prepare_home()
    from assets.sources import named_sources
    from assets.stale import Stale
    from indx_core.kit.config import load_config
    from indx_dagster.jobs import REPLAYED
    from indx_dagster.launch import Session
    from indx_dagster.summary import corpus_state

    session = Session(load_config())
    sources = named_sources(keys, session.lake, session.loaded)
    asked = [Stale(source, REPLAYED, ("replayed",)) for source in sources]
    tally, seconds = _run(session, asked, lambda left: left, job="replay")
    _show(corpus_state(session.lake, sources), tally, seconds, as_json=as_json)
    for failed in tally.reasons():
        click.echo(f"{failed['document']}: {failed['code']}: {failed['message']} → {failed['remedy']}", err=True)
    sys.exit(FAILED if tally.failures else 0)


def discovered(session: "Session", corpora: "Sequence[Corpus]", *, record: bool) -> "list[ListedSource]":
    """The documents that a command line means; what their listings leave out is said on stderr."""
    from indx_core.app.cli.output import warnings_shown

    with warnings_shown():
        return session.discover(corpora, record=record)


def corpora_named(what: Sequence[str], loaded: "LoadedConfig", registry: "Registry") -> "list[Corpus]":
    """The corpora that names, paths or URIs on a command line mean; all of ``indx.toml`` where there is none."""
    from indx_core.app.ingest.corpus import corpus_of_path, named_corpus
    from indx_core.contracts.errors import ConfigInvalid, RequestInvalid

    names = list(loaded.config.corpora)
    if any(not each.strip() for each in what):
        raise RequestInvalid("nothing is named by an empty string", param="what")
    if not what and not names:
        raise ConfigInvalid("nothing to ingest: indx.toml names no corpus", remedy="name a folder, or add [corpora.…]")
    return [named_corpus(n, loaded) if n in names else corpus_of_path(n, loaded, registry) for n in what or names]


def _run(
    session: "Session",
    asked: "Sequence[Stale]",
    again: "Callable[[Sequence[Stale]], Sequence[Stale]]",
    job: str = "ingest",
) -> "tuple[Tally, float]":
    """Run what is asked for, and last what another run had. Ctrl-C keeps what was committed.

    Args:
        session: Of the command.
        asked: Documents and their stages.
        again: What is still asked for of these documents, once the runs that had them have ended.
        job: Job to run.
    """
    from assets.batches import batches
    from indx_dagster.summary import Tally

    tally, started = Tally(), time.perf_counter()
    while asked:
        taken = session.holders([each.source for each in asked])
        free = [each for each in asked if each.source.key not in taken]
        with progress_of(len(free), tally) as session.on_outcome:
            for batch in batches(free, session.loaded):
                session.run(replace(batch, job=job))
        left = [each for each in asked if each.source.key not in tally.keys]
        wait_for(session, left)
        asked = again(left) if left else ()
    return tally, time.perf_counter() - started


def wait_for(session: "Session", left: "Sequence[Stale]") -> None:
    """Wait until no other run is about these documents. One whose process was killed ends here, too."""
    said: set[str] = set()
    while taken := session.holders([each.source for each in left]):
        runs = set(taken.values())
        if runs - said:
            noun = "document is" if len(taken) == 1 else "documents are"
            named = ", ".join(sorted(run[:8] for run in runs))
            click.echo(f"{len(taken):,} {noun} being processed by another run ({named}): waiting for it.", err=True)
            click.echo("Ctrl-C ends the waiting, not that run; `make dev` shows it.", err=True)
            said |= runs
        time.sleep(1)


@contextmanager
def progress_of(total: int, tally: "Tally") -> "Iterator[Callable[[DocumentOutcome], None]]":
    """A progress bar on a terminal, silence in a pipe; yields what is to be told of every outcome."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pages]} pages  {task.fields[refused]} refused"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal or not total) as bar:
        shown = bar.add_task("ingesting", total=total, pages=0, refused=0)

        def on_outcome(outcome: "DocumentOutcome") -> None:
            tally.add(outcome)
            bar.update(shown, advance=1, pages=tally.pages.total(), refused=tally.refusals.total())

        yield on_outcome


def _show_stale(stale: Sequence[Any], gone: Sequence[str], *, as_json: bool | None) -> None:
    from indx_core.contracts.ingest import Stage

    rows = [
        {"document": each.source.key, "stages": [stage.value for stage in each.stages], "reasons": list(each.reasons)}
        for each in stale
    ]
    rows += [{"document": key, "stages": [], "reasons": ["gone"]} for key in gone]
    if wants_json(as_json=as_json):
        print_json(rows)
        return
    for row in rows[: len(stale)]:
        stages = "all stages" if len(row["stages"]) == len(Stage) else " → ".join(row["stages"])
        say(f"{row['document']}  {', '.join(row['reasons'])}: {stages}")
    for key in gone:
        say(f"{key}  gone: would be retired")
    done = f"{counted(len(stale), 'document')} would be processed" + (f", {len(gone):,} retired" if gone else "")
    click.echo(done if rows else "everything is up to date")


def _show(state: dict[str, Any], tally: "Tally", seconds: float, *, as_json: bool | None) -> None:
    if wants_json(as_json=as_json):
        run = {
            "documents": tally.documents,
            "pages": dict(tally.pages),
            "refused": dict(tally.refusals),
            "retired": tally.gone,
            "failed": tally.reasons(),
            "cost_usd": tally.cost_usd,
            "seconds": round(seconds, 3),
        }
        print_json({"run": run, "corpus": state})
        return
    from indx_dagster.printing import print_summary

    print_summary(state, tally, seconds)
