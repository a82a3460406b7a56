"""``indx migrate``: objects of the lake that an earlier release wrote, rewritten to the current schema.

Belongs here: the command, and the refusal while runs are at work. Does not: the rewrite (``kit/lake/evolve.py``).
"""

from collections import Counter

import click

from indx_core.app.cli.output import json_option, print_json, wants_json
from indx_dagster.home import prepare_home


@click.command("migrate")
@click.option("--dry-run", is_flag=True, help="Only say what would be rewritten.")
@json_option
def migrate(*, dry_run: bool, as_json: bool | None) -> None:
    """Rewrite objects of the lake that an earlier release wrote to the current schema.

    Nothing needs it to be read: a column that an older object lacks is null. Each object is replaced as a whole, and an
    interrupted migration goes on where it stopped. Refused while runs are at work, which write the same objects.

    Example: indx migrate --dry-run
    """
    prepare_home()
    from indx_core.kit.lake import Lake
    from indx_core.kit.lake.evolve import outdated, rewrite

    if not dry_run:
        _refuse_while_runs_work()
    lake = Lake.open()
    found: Counter[tuple[str, int]] = Counter()
    rewritten = 0
    for each in outdated(lake):
        found[each.table, each.version] += 1
        rewritten += 0 if dry_run else rewrite(lake, each)
    result = {
        "outdated": [
            {"table": table, "version": version, "objects": count} for (table, version), count in sorted(found.items())
        ],
        "rewritten": rewritten,
    }
    if wants_json(as_json=as_json):
        print_json(result)
        return
    for (table, version), count in sorted(found.items()):
        click.echo(f"{table}: {count:,} objects of schema version {version}")
    done = "would be rewritten" if dry_run else "rewritten"
    click.echo(f"{found.total() if dry_run else rewritten:,} objects {done}" if found else "everything is current")


def _refuse_while_runs_work() -> None:
    from dagster import RunsFilter

    from assets.in_flight import UNFINISHED
    from indx_core.contracts.errors import RequestInvalid
    from indx_dagster.home import open_instance

    with open_instance() as instance:
        working = instance.get_runs_count(RunsFilter(statuses=UNFINISHED))
    if working:
        reason = f"{working} runs are not finished, and they write to the lake"
        raise RequestInvalid(reason, remedy="wait for them, or end them in the UI")
