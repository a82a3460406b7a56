"""``indx sql``."""

import sys

import click


@click.command("sql")
@click.argument("statement")
@click.option("--json", "form", flag_value="json", help="A JSON array of one object a row.")
@click.option("--csv", "form", flag_value="csv", help="CSV with a header line.")
def command(statement: str, form: str | None) -> None:
    """Ask the lake a question in SQL; `SHOW TABLES` lists its views. Statements that write are refused.

    Example: indx sql "SELECT status, count(*) FROM pages GROUP BY status"
    """
    from indx_core.kit.lake import Lake
    from indx_core.knowledge.sql import as_csv, as_json, as_table, query

    result = query(Lake.open(), statement)
    if form == "csv":
        click.echo(as_csv(result), nl=False)
    elif form == "json" or not sys.stdout.isatty():
        click.echo(as_json(result))
    else:
        from rich.console import Console

        as_table(result, Console())
