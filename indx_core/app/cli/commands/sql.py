"""``indx sql``."""

import click

from indx_core.app.cli.output import console, print_json, wants_json


@click.command("sql")
@click.argument("statement")
@click.option("--json", "form", flag_value="json", help="A JSON array of one object a row.")
@click.option("--no-json", "form", flag_value="table", help="A table, also in a pipe or a file.")
@click.option("--csv", "form", flag_value="csv", help="CSV with a header line.")
def command(statement: str, form: str | None) -> None:
    """Ask the lake a question in SQL; `SHOW TABLES` lists its views. Statements that write are refused.

    Example: indx sql "SELECT status, count(*) FROM pages GROUP BY status"
    """
    from indx_core.kit.lake import Lake
    from indx_core.knowledge.sql import as_csv, as_table, json_rows, query

    result = query(Lake.open(), statement)
    if form == "csv":
        click.echo(as_csv(result), nl=False)
    elif wants_json(as_json=None if form is None else form == "json"):
        print_json(json_rows(result))
    else:
        as_table(result, console())
