"""The CloudFormation template: its own linter, and the variables and commands of the tasks."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from cfnlint.api import lint_file
from cfnlint.decode.cfn_yaml import load as load_template
from container_commands import parses
from dagster_config import settings, variables

ECS = Path(__file__).resolve().parents[2] / "deploy" / "ecs"


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    found: dict[str, Any] = load_template(str(ECS / "template.yaml"))
    return found


@pytest.fixture(scope="module")
def container(template: dict[str, Any]) -> dict[str, Any]:
    """The container that the three services have in common."""
    _name, _services, made = template["Resources"]["Fn::ForEach::Services"]
    (found,) = made["${Service}Task"]["Properties"]["ContainerDefinitions"]
    return dict(found)


def test_cloudformation_accepts_the_template() -> None:
    assert [str(match) for match in lint_file(ECS / "template.yaml")] == []


def test_a_property_that_does_not_exist_is_found(tmp_path: Path) -> None:
    """The test above could not fail otherwise."""
    bad = tmp_path / "template.yaml"
    bad.write_text((ECS / "template.yaml").read_text().replace("NetworkMode:", "NetworkMod:"))
    assert lint_file(bad) != []


def test_a_task_has_what_its_instance_reads_and_what_makes_events_cheap(container: dict[str, Any]) -> None:
    plain = {each["Name"]: each["Value"] for each in container["Environment"]}
    secret = {each["Name"] for each in container["Secrets"]}
    needed = variables(yaml.safe_load((ECS / "dagster.yaml").read_text()))
    assert needed - set(plain) - secret == set()
    assert secret == {"DAGSTER_PG_PASSWORD"}
    assert plain["DAGSTER_EVENT_BATCH_SIZE"] == "500"
    assert plain["DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS"] == "1"
    ours = {name for name in plain if name.startswith("INDX_")}
    assert ours - settings() == set()


def test_every_command_is_one_its_program_takes(template: dict[str, Any]) -> None:
    for service in template["Mappings"]["Services"].values():
        assert parses(service["Command"])
        program = service["Health"][1]
        assert program == "python" or parses(service["Health"][1:])


def test_the_code_servers_name_is_the_one_the_workspace_asks_for(template: dict[str, Any]) -> None:
    workspace = yaml.safe_load((ECS / "workspace.yaml").read_text())["load_from"][0]["grpc_server"]
    name = template["Mappings"]["Services"]["Code"]["Name"]
    assert workspace["host"] == f"{name}.{template['Resources']['Names']['Properties']['Name']}"
    assert "/opt/dagster/ecs/workspace.yaml" in template["Mappings"]["Services"]["Daemon"]["Command"]


def test_a_run_has_memory_for_its_workers(template: dict[str, Any]) -> None:
    """2 GiB is what a worker may hold before it is ended."""
    resources = yaml.safe_load((ECS / "dagster.yaml").read_text())["run_launcher"]["config"]["run_resources"]
    workers = template["Parameters"]["Workers"]["Default"]
    assert int(resources["cpu"]) == workers * 1024
    assert int(resources["memory"]) > workers * 2048
