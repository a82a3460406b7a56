"""What containers are started with, parsed by the programs themselves: an option that is not there shows here."""

from collections.abc import Sequence

import click


def parses(command: Sequence[str]) -> bool:
    """Whether the program of a command line takes its arguments.

    Raises:
        click.UsageError: It does not.
        KeyError: A program that no container of ours is started with.
    """
    program, *arguments = command
    group = _programs()[program]
    context = click.Context(group, info_name=program)
    while isinstance(group, click.Group):
        if arguments and arguments[0].startswith("-"):
            parser = group.make_parser(context)
            parser.allow_interspersed_args = False
            _values, arguments, _order = parser.parse_args(list(arguments))
        name, found, arguments = group.resolve_command(context, list(arguments))
        assert found is not None, name
        group, context = found, click.Context(found, info_name=name, parent=context)
    group.make_parser(context).parse_args(list(arguments))
    return True


def _programs() -> dict[str, click.Command]:
    from celery.bin.celery import celery
    from dagster._cli import cli as dagster
    from dagster._daemon.cli import cli as daemon
    from dagster_webserver.cli import dagster_webserver

    return {"celery": celery, "dagster": dagster, "dagster-daemon": daemon, "dagster-webserver": dagster_webserver}
