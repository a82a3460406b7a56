"""``indx views``."""

import click

from indx_core.app.cli.output import print_json


@click.command("views")
@click.option("--json", "as_json", is_flag=True, help="A JSON array of the statements, for a program that runs them.")
def command(*, as_json: bool) -> None:
    """Print the CREATE VIEW statements of the lake's tables, to run in a DuckDB of one's own.

    Example: indx views | duckdb analysis.duckdb
    """
    from indx_core.contracts.errors import RequestInvalid
    from indx_core.kit.lake import Lake
    from indx_core.knowledge.sql import view_statements

    try:
        statements = view_statements(Lake.open())
    except TypeError as error:
        raise RequestInvalid(str(error), remedy="ask with `indx sql`, which reads buckets too") from None
    if as_json:
        print_json(statements)
        return
    for statement in statements:
        click.echo(f"{statement};")
