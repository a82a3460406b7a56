"""The compose files: the specification's own schema, commands that their programs take, and every variable set."""

import importlib.resources
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from container_commands import parses
from dagster_config import settings, variables

COMPOSE = Path(__file__).resolve().parents[2] / "deploy" / "compose"
FILES = ["compose.yaml", "compose.celery.yaml"]
DAGSTER = ["code", "webserver", "daemon"]


def load(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((COMPOSE / name).read_text())
    return found


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The Compose specification's, as check-jsonschema carries it."""
    vendored = importlib.resources.files("check_jsonschema.builtin_schemas").joinpath("vendor/compose-spec.json")
    found: dict[str, Any] = json.loads(vendored.read_text())
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_what_the_compose_specification_describes(name: str, schema: dict[str, Any]) -> None:
    jsonschema.validate(load(name), schema)


def test_a_misspelt_key_is_found(schema: dict[str, Any]) -> None:
    """The test above could not fail otherwise."""
    config = load("compose.yaml")
    config["services"]["code"]["heathcheck"] = config["services"]["code"].pop("healthcheck")
    with pytest.raises(jsonschema.ValidationError, match="heathcheck"):
        jsonschema.validate(config, schema)


@pytest.mark.parametrize("name", FILES)
def test_every_command_is_one_its_program_takes(name: str) -> None:
    services = load(name)["services"]
    ours = [service for each, service in services.items() if each in {*DAGSTER, "worker"} and "command" in service]
    assert ours
    assert all(parses(service["command"]) for service in ours)
    checks = [service["healthcheck"]["test"] for service in ours if "test" in service.get("healthcheck", {})]
    assert all(parses(check[1:]) for check in checks if check[0] == "CMD")


@pytest.mark.parametrize("service", DAGSTER)
def test_a_process_has_what_its_instance_reads_and_what_makes_events_cheap(service: str) -> None:
    base, over = load("compose.yaml")["services"][service], load("compose.celery.yaml")["services"][service]
    for environment in (base["environment"], base["environment"] | over["environment"]):
        home = COMPOSE.parent / Path(environment["DAGSTER_HOME"]).name
        needed = variables(yaml.safe_load((home / "dagster.yaml").read_text()))
        assert needed - set(environment) == set()
        assert environment["DAGSTER_EVENT_BATCH_SIZE"] == "500"
        assert environment["DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS"] == "1"
        assert environment["INDX_LAKE"].startswith("s3://")


def test_every_variable_of_ours_is_a_setting() -> None:
    environments = [each.get("environment", {}) for file in FILES for each in load(file)["services"].values()]
    ours = {variable for each in environments for variable in each if variable.startswith("INDX_")}
    assert ours
    assert ours - settings() == set()


@pytest.mark.parametrize("name", FILES)
def test_what_has_to_be_filled_in_is_in_the_example_and_no_secret_is_written(name: str) -> None:
    text = (COMPOSE / name).read_text()
    asked = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    offered = dict(line.split("=") for line in (COMPOSE / ".env.example").read_text().splitlines() if "=" in line)
    assert asked <= set(offered)
    assert {offered[each] for each in asked} == {""}
    assert re.findall(r"(?:PASSWORD|SECRET\w*): (?![$])\S+", text) == []


def test_only_the_webserver_is_published_and_on_this_machine_alone() -> None:
    """The second file is laid over the first: a port in either is published."""
    services = [(name, each) for file in FILES for name, each in load(file)["services"].items()]
    assert [(name, each["ports"]) for name, each in services if "ports" in each] == [
        ("webserver", ["127.0.0.1:3000:3000"])
    ]
    assert [name for name, each in services if "network_mode" in each] == []
