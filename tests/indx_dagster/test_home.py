"""The instance a command works on, where there was none and where others make it too."""

from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy.exc import ProgrammingError

from indx_dagster import home
from indx_dagster.home import CHECKOUT, ENVIRONMENT, open_instance, prepare_home


@pytest.fixture
def new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_new_home_has_the_checkouts_configuration_whole_and_nothing_beside_it(new_home: Path) -> None:
    assert prepare_home() == new_home
    assert [path.name for path in new_home.iterdir()] == ["dagster.yaml"]
    assert (new_home / "dagster.yaml").read_bytes() == (CHECKOUT / "dagster.yaml").read_bytes()


def test_a_configuration_of_ones_own_stands(new_home: Path) -> None:
    new_home.mkdir()
    (new_home / "dagster.yaml").write_text("telemetry: {enabled: false}\n")
    prepare_home()
    assert (new_home / "dagster.yaml").read_text() == "telemetry: {enabled: false}\n"


def test_opening_a_new_instance_makes_every_table_so_that_what_starts_next_makes_none(new_home: Path) -> None:
    """`make dev` opens it before it starts the webserver and the daemon, which take no lock."""
    with open_instance():
        made = {str(path.relative_to(new_home)) for path in new_home.rglob("*.db")}
    assert made == {"history/runs.db", "history/runs/index.db", "schedules/schedules.db"}


def test_an_instance_whose_tables_another_host_is_making_is_opened_a_moment_later(
    new_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_BETWEEN_SECONDS", 0.0)
    open_it, attempts = dg.DagsterInstance.from_ref, []

    def from_ref(ref: object) -> dg.DagsterInstance:
        attempts.append(ref)
        if len(attempts) < 3:
            raise ProgrammingError("CREATE TABLE", None, Exception('relation "instance_info" already exists'))
        return open_it(ref)

    monkeypatch.setattr(dg.DagsterInstance, "from_ref", from_ref)
    with open_instance() as instance:
        assert instance.get_runs() == []
    assert len(attempts) == 3
