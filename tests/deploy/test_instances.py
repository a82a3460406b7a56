"""The dagster.yaml and workspace.yaml that the image carries, one DAGSTER_HOME a deployment."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from dagster_config import faults, variables

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
HOMES = ["compose", "celery", "ecs"]


def instance(home: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / home / "dagster.yaml").read_text())
    return found


@pytest.mark.parametrize("home", HOMES)
def test_an_instance_is_what_dagster_and_the_classes_it_names_accept(home: str) -> None:
    assert faults(instance(home)) == []


def test_a_setting_that_no_class_knows_is_found() -> None:
    """The test above could not fail otherwise."""
    config = instance("ecs")
    config["run_launcher"]["config"]["run_resource"] = {}
    config["telemetri"] = {"enabled": False}
    assert len(faults(config)) == 2


@pytest.mark.parametrize("home", HOMES)
def test_an_instance_keeps_its_events_in_postgres_queues_its_runs_and_reports_to_nobody(home: str) -> None:
    config = instance(home)
    assert set(config["storage"]) == {"postgres"}
    assert config["run_coordinator"]["class"] == "QueuedRunCoordinator"
    assert config["concurrency"]["runs"]["max_concurrent_runs"] > 1
    assert config["concurrency"]["pools"] == {"granularity": "op"}, "a default limit fails on Postgres: docs/deploy.md"
    assert config["telemetry"] == config["nux"] == {"enabled": False}


@pytest.mark.parametrize("home", HOMES)
def test_a_secret_is_named_and_never_written(home: str) -> None:
    database = instance(home)["storage"]["postgres"]["postgres_db"]
    assert database["password"] == {"env": "DAGSTER_PG_PASSWORD"}
    assert "DAGSTER_PG_HOST" in variables(database)


@pytest.mark.parametrize("home", HOMES)
def test_a_workspace_is_one_code_server_elsewhere(home: str) -> None:
    from dagster._core.workspace.load import location_origins_from_config

    origins = location_origins_from_config(yaml.safe_load((DEPLOY / home / "workspace.yaml").read_text()), str(DEPLOY))
    ((name, origin),) = origins.items()
    assert name == "indx"
    assert origin.port == 4000
