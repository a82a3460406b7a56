"""What ``indx doctor`` says of Dagster here. Found by entry point; imports Dagster nowhere."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from indx_core.app.doctor.extras import install
from indx_core.app.doctor.report import Check, Status
from indx_dagster.home import home_folder

AREA = "dagster"
PROGRAMS = ("dagster", "dagster-webserver", "dagster-daemon", "dg")
POSTGRES = "/usr/lib/postgresql"
"""Where Debian and Ubuntu put the server's programs, outside the path."""


def checks() -> Iterator[Check]:
    """The packages, the home, the storage it names, and the programs of servers."""
    if importlib.util.find_spec("dagster") is None:
        remedy = install("dagster")
        yield Check(area=AREA, name="dagster", status=Status.ABSENT, detail="`indx ingest` needs it", remedy=remedy)
        return
    home = home_folder()
    yield _home(home)
    yield from _storage(home)
    beside = Path(sys.executable).parent
    for program in PROGRAMS:
        found = (beside / program).is_file() or shutil.which(program) is not None
        status = Status.OK if found else Status.ABSENT
        yield Check(area=AREA, name=program, status=status, remedy="" if found else install("dagster"))
    yield _postgres()


def _home(home: Path) -> Check:
    nearest = next(folder for folder in (home.absolute(), *home.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.R_OK | os.W_OK | os.X_OK):
        remedy = "name a folder that exists or can be made"
        detail = f"{nearest} cannot be read and written"
        return Check(area=AREA, name="DAGSTER_HOME", status=Status.PROBLEM, detail=detail, remedy=remedy)
    detail = str(home) if nearest == home.absolute() else f"{home}, which the first ingest makes"
    return Check(area=AREA, name="DAGSTER_HOME", status=Status.OK, detail=detail)


def _storage(home: Path) -> Iterator[Check]:
    """Whether the packages of the storage that ``dagster.yaml`` names are there."""
    file = home / "dagster.yaml"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    if "dagster_postgres" not in text:
        yield Check(area=AREA, name="storage", status=Status.OK, detail="SQLite")
    elif importlib.util.find_spec("dagster_postgres") is None:
        detail = "dagster.yaml names Postgres, and dagster-postgres is not installed"
        yield Check(area=AREA, name="storage", status=Status.PROBLEM, detail=detail, remedy=install("postgres"))
    else:
        yield Check(area=AREA, name="storage", status=Status.OK, detail="Postgres, which is not asked")


def _postgres() -> Check:
    found = shutil.which("initdb") is not None or any(Path(POSTGRES).glob("*/bin/initdb"))
    detail = "a server's programs" if found else "a server's programs; tests and benchmarks start one of their own"
    remedy = "" if found else "apt install postgresql"
    status = Status.OK if found else Status.ABSENT
    return Check(area=AREA, name="postgres", status=status, detail=detail, remedy=remedy)
