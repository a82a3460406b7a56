"""The command group and the one place where a typed error becomes an exit status.

Commands are looked up by name and imported only when asked for: ``indx --help`` imports neither pydantic nor numpy.
"""

import atexit
import gc
import importlib
import importlib.metadata
import json
import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from indx_core.app.cli.streams import (
    escape_what_cannot_be_written,
    is_terminal,
    reader_may_leave,
    takes_all_characters,
)
from indx_core.kit.garbage import collect_seldom

if TYPE_CHECKING:
    from indx_core.contracts.errors import IndxError

BUILT_IN = {
    "capabilities": "What is installed here: capabilities, embedding spaces, annotators.",
    "plan": "Decide what would happen to a document, and at what price.",
    "encode": "Read a document into blocks, vectors and a trace.",
    "export": "Write the process charts of a presentation as draw.io or Mermaid files.",
    "embed": "Place a query in an embedding space.",
    "serve": "Serve the operations over HTTP, on this machine alone unless told otherwise.",
    "search": "Search the passages of the lake.",
    "sql": "Ask the lake a question in SQL.",
    "views": "Print the views of the lake for a DuckDB of one's own.",
    "preview": "Draw a page of an ingested document with the boxes of its chunks.",
    "inspect": "Check a knowledge space and count what is in it.",
    "diff": "Compare two knowledge spaces.",
    "doctor": "Say what works here, what is missing and how to get it.",
}
ENTRY_POINT_GROUP = "indx.commands"


class LazyGroup(click.Group):
    """A group whose help is a table and whose commands are modules imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*BUILT_IN, *sorted(_contributed())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name in BUILT_IN:
            module = importlib.import_module(f"indx_core.app.cli.commands.{cmd_name}")
            command: click.Command = module.command
            return command
        point = _contributed().get(cmd_name)
        return _load(point) if point else None

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Here the pages of ``--help`` and ``--version`` are printed."""
        with reader_may_leave():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        from indx_core.kit.settings import terminal_colours

        ctx.color = terminal_colours()
        with reader_may_leave():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table: asking each command for its help would import them all."""
        contributed = [(name, _help_of(point)) for name, point in sorted(_contributed().items())]
        with formatter.section("Commands"):
            formatter.write_dl([*BUILT_IN.items(), *contributed])
        del ctx


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="indx-dagster", prog_name="indx")
def cli() -> None:
    """Documents as addressable, searchable, auditable data."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; exits the process with the status of the error's class, 0 when all went well."""
    # Modules and models are no garbage: looking for some while they are imported took 0.06 of 0.5 s of `indx plan`.
    collect_seldom()
    # What is imported by then goes with the process. Walking it once more for cycles took 0.15 of 0.9 s of `indx plan`.
    atexit.register(gc.freeze)
    # Without a handler, Python prints warnings to stderr: beside our envelope, and naming what an answer must not.
    logging.getLogger("indx_core").addHandler(logging.NullHandler())
    escape_what_cannot_be_written()
    try:
        cli.main(args=arguments, prog_name="indx", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("interrupted: what was done stands, the same command goes on from there", err=True)
        sys.exit(130)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        sys.exit(_misused(error))
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback for a user
        sys.exit(_failed(error))


def _misused(error: click.ClickException) -> int:
    """Tell of arguments that make no command; the exit status."""
    from indx_core.contracts.errors import RequestInvalid

    if is_terminal(sys.stderr):
        error.show()
        return error.exit_code
    named = error.param.opts[0].strip("-_") if isinstance(error, click.BadParameter) and error.param else None
    _report(RequestInvalid(error.format_message(), param=named))
    return RequestInvalid.exit_code


def _failed(error: Exception) -> int:
    """Tell of a command that failed; the exit status."""
    from indx_core.contracts.errors import IndxError, InternalError

    if not isinstance(error, IndxError):
        _explain(error)
        reason = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
        message = f"an error nobody typed: {type(error).__name__}{reason}"
        error = InternalError(message, remedy="INDX_DEBUG=1 shows where")
    _report(error)
    return error.exit_code


def _explain(error: Exception) -> None:
    """Where an error came from that nobody typed: for whoever asks with ``INDX_DEBUG``."""
    import traceback

    from indx_core.app.cli.settings import CommandSettings

    if CommandSettings.load().debug:
        traceback.print_exception(error)


def _report(error: "IndxError") -> None:
    """Sentence and remedy for a person; the wire envelope for a program; the status alone where nothing can be told."""
    from indx_core.kit.settings import terminal_colours

    with suppress(OSError):
        if is_terminal(sys.stderr):
            click.secho(f"{error.code or error.type}: {error.message}", fg="red", err=True, color=terminal_colours())
            if error.remedy:
                click.echo(f"→ {error.remedy}", err=True)
        else:
            envelope = error.envelope().model_dump(mode="json", exclude_none=True)
            click.echo(json.dumps(envelope, ensure_ascii=not takes_all_characters(sys.stderr)), err=True)


def _contributed() -> dict[str, importlib.metadata.EntryPoint]:
    return {point.name: point for point in importlib.metadata.entry_points(group=ENTRY_POINT_GROUP)}


def _load(point: importlib.metadata.EntryPoint) -> click.Command:
    try:
        command: click.Command = point.load()
    except ImportError as error:
        # A wheel ships the core alone; the commands of the code location need a checkout with its extra.
        reason = f"{point.name} is not available here: {error}"
        anything = {"ignore_unknown_options": True, "allow_extra_args": True}
        return click.Command(point.name, context_settings=anything, callback=lambda: _refuse(reason), help=reason)
    return command


def _help_of(point: importlib.metadata.EntryPoint) -> str:
    """The first line an entry point states for the help page, after ``#`` in its value's extras; else its target."""
    return HELP.get(point.name, f"Added by {point.dist.name if point.dist else point.module}.")


HELP = {
    "ingest": "Bring folders or corpora up to date in one Dagster run per batch.",
    "backfill": "Say what is stale, why and at what price; then run it within a budget.",
    "migrate": "Rewrite what an earlier release left in the lake to the current schema.",
    "replay": "Execute the plans of record again, exactly.",
    "review": "Pages that wait for a person: list them, answer them.",
}
"""Help of our own code location's commands, so that showing it does not import Dagster (1.1 CPU s)."""


def _refuse(reason: str) -> None:
    from indx_core.contracts.errors import CapabilityUnavailable

    raise CapabilityUnavailable(reason, remedy="install from a checkout with the extra `dagster`")
