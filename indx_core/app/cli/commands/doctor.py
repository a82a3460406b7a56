"""``indx doctor``."""

import sys

import click

from indx_core.app.cli.output import columns, json_option, show
from indx_core.app.doctor.report import Check, Origin, Report, Status

MARKS = {Status.OK: "✓", Status.ABSENT: "-", Status.WARNING: "!", Status.PROBLEM: "✗"}


@click.command("doctor")
@json_option
def command(as_json: bool | None) -> None:
    """Look at what is installed and set here, and say what is missing and how to get it.

    Extras, engines with their models and dictionaries, plugins, variables (never the values of secrets), indx.toml, the
    lake, Dagster. Nothing is changed and no connection opened. Exit status 8 when something configured cannot work.

    Example: indx doctor --json | jq '.checks[] | select(.status == "problem")'
    """
    from indx_core.app.doctor.examine import examine
    from indx_core.contracts.errors import SettingsInvalid

    report = examine()
    show(report, readable, as_json=as_json)
    sys.exit(0 if report.healthy else SettingsInvalid.exit_code)


def readable(report: Report) -> str:
    """A section an area, then what is set, then the verdict."""
    areas: dict[str, list[Check]] = {}
    for check in report.checks:
        areas.setdefault(check.area, []).append(check)
    parts = [f"indx {report.version}  Python {report.python}"]
    parts += [f"{area}\n{columns([_row(check) for check in checks])}" for area, checks in areas.items()]
    stated = [(each.name, each.value or "", each.origin) for each in report.settings if each.origin != Origin.DEFAULT]
    defaults = len(report.settings) - len(stated)
    parts.append("set\n" + columns([*stated, ("", f"{defaults} others have their default", "")]))
    problems = sum(check.status is Status.PROBLEM for check in report.checks)
    parts.append(f"{problems} problem{'' if problems == 1 else 's'}" if problems else "everything configured can work")
    return "\n\n".join(parts)


def _row(check: Check) -> tuple[str, str, str]:
    told = f"{check.detail} → {check.remedy}" if check.detail and check.remedy else check.detail or check.remedy
    return MARKS[check.status], check.name, told
