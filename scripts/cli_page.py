"""The text of ``docs/cli.md``, made from the commands' own help and from the error classes."""

from collections import defaultdict

import click

from indx_core.app.cli.main import cli
from indx_core.contracts import errors
from indx_dagster.backfill_command import OVER_BUDGET
from indx_dagster.cli import FAILED

WIDTH = 100
PREFACE = r"""# The command line

<!-- Generated from the commands and the error classes by `make docs`; `make check` fails when it is stale. -->

A command prints JSON when its output is a pipe or a file, and a readable form on a terminal; `--json` and `--no-json`
ask for one of them wherever it leads. Errors go to stderr: a sentence and what to do about it on a terminal, else the
wire envelope `{"error": {"type", "code", "message", "param"}}`, for a misspelt option as for a document. Progress is
shown on a terminal and nowhere else, colours only where `NO_COLOR` is not set. Every example below is run by a test.

## Completion

TAB completes commands, options and their values. One line, in the file your shell reads at its start:

| shell | file | line |
|---|---|---|
| bash 4.4 or later | `~/.bashrc` | `eval "$(_INDX_COMPLETE=bash_source indx)"` |
| zsh | `~/.zshrc` | `eval "$(_INDX_COMPLETE=zsh_source indx)"` |
| fish | `~/.config/fish/completions/indx.fish` | `_INDX_COMPLETE=fish_source indx \| source` |
"""
STATUSES = """## Exit status

| status | when |
|---|---|
| 0 | it worked; refused documents are an answer and leave 0 |
"""
INGEST_STATUS = "documents of `indx ingest` or `indx backfill` failed that a rerun may process"
BACKFILL_STATUS = "the budget of `indx backfill` left documents as they were"
DOCTOR_STATUS = "`indx doctor` found something configured that cannot work"
INTERRUPTED = "| 130 | interrupted: what was done stands, the same command goes on from there |"


def page() -> str:
    """The whole page."""
    return "\n".join([PREFACE, *_commands(), STATUSES + "\n".join(_statuses()), ""])


def _commands() -> list[str]:
    return _sections(cli, click.Context(cli, info_name="indx", **cli.context_settings))


def _sections(group: click.Group, context: click.Context) -> list[str]:
    """One section a command, a group's own commands after it."""
    found = []
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            continue
        own = click.Context(command, info_name=name, parent=context, terminal_width=WIDTH, max_content_width=WIDTH)
        found.append(f"## `{own.command_path}`\n\n```text\n{command.get_help(own)}\n```\n")
        if isinstance(command, click.Group):
            found += _sections(command, own)
    return found


def _statuses() -> list[str]:
    codes: dict[int, set[str]] = defaultdict(set)
    for cls in _classes(errors.IndxError):
        codes[cls.exit_code].add(f"`{cls.code or cls.type}`")
    lines = {status: ", ".join(sorted(names)) for status, names in codes.items()}
    lines[FAILED] = f"{lines[FAILED]}; {INGEST_STATUS}"
    lines[OVER_BUDGET] = BACKFILL_STATUS
    lines[errors.SettingsInvalid.exit_code] += f"; {DOCTOR_STATUS}"
    return [*(f"| {status} | {lines[status]} |" for status in sorted(lines)), INTERRUPTED]


def _classes(base: type[errors.IndxError]) -> set[type[errors.IndxError]]:
    return {base}.union(*(_classes(cls) for cls in base.__subclasses__()))
