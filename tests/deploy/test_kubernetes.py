"""Values of the official Helm chart: the run launcher's schema, the job it would create, the instance it would write.

The chart itself is a Go template and is not run here. What its templates copy is copied the same way: names in snake
case, sections under their own names.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from container_commands import parses
from dagster_config import faults, settings

VALUES = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes" / "values.yaml"
RENDERED_BY_THE_CHART = {"job_namespace": "default", "service_account_name": "indx", "instance_config_map": "indx"}


@pytest.fixture(scope="module")
def values() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(VALUES.read_text())
    return found


@pytest.fixture(scope="module")
def deployment(values: dict[str, Any]) -> dict[str, Any]:
    (found,) = values["dagster-user-deployments"]["deployments"]
    return found


def snake(value: Any, depth: int = 9) -> Any:
    """Keys in snake case, as the chart's templates write them; ``depth`` levels down, since Kubernetes keeps its own."""
    if isinstance(value, dict) and depth:
        return {re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", k).lower(): snake(v, depth - 1) for k, v in value.items()}
    return value


def launcher(values: dict[str, Any]) -> dict[str, Any]:
    given = snake(values["runLauncher"]["config"]["k8sRunLauncher"], 2)
    given["env_secrets"] = [each["name"] for each in given["env_secrets"]]
    given["postgres_password_secret"] = values["global"]["postgresqlSecretName"]
    return {**given, **RENDERED_BY_THE_CHART}


def instance(values: dict[str, Any]) -> dict[str, Any]:
    daemon, database = values["dagsterDaemon"], values["postgresql"]
    logs = snake(values["computeLogManager"]["config"]["s3ComputeLogManager"])
    concurrency = {name: value for name, value in values["concurrency"].items() if name != "enabled"}
    concurrency = snake(concurrency, 2)
    return {
        "storage": {
            "postgres": {
                "postgres_db": {
                    "scheme": database["postgresqlScheme"],
                    "hostname": database["postgresqlHost"],
                    "username": database["postgresqlUsername"],
                    "password": {"env": "DAGSTER_PG_PASSWORD"},
                    "db_name": database["postgresqlDatabase"],
                    "port": database["service"]["port"],
                }
            }
        },
        "run_launcher": {"module": "dagster_k8s", "class": "K8sRunLauncher", "config": launcher(values)},
        "run_coordinator": {"module": "dagster.core.run_coordinator", "class": daemon["runCoordinator"]["type"]},
        "concurrency": concurrency,
        "compute_logs": {"module": "dagster_aws.s3", "class": values["computeLogManager"]["type"], "config": logs},
        "run_monitoring": snake(daemon["runMonitoring"]),
        "sensors": snake(daemon["sensors"]),
        "schedules": snake(daemon["schedules"]),
        "retention": {
            name: {"purge_after_days": each["purgeAfterDays"]}
            for name, each in values["retention"].items()
            if name != "enabled"
        },
        "telemetry": values["telemetry"],
        **values["additionalInstanceConfig"],
    }


def test_the_instance_of_these_values_is_one_that_dagster_and_its_classes_accept(values: dict[str, Any]) -> None:
    assert faults(instance(values)) == []


def test_a_launcher_setting_that_does_not_exist_is_found(values: dict[str, Any]) -> None:
    """The test above could not fail otherwise."""
    config = instance(values)
    config["run_launcher"]["config"]["run_k8s_config"]["podSpec"] = {}
    assert len(faults(config)) == 1


def test_the_job_of_a_run_is_the_code_servers_container_with_the_size_of_a_run(
    values: dict[str, Any], deployment: dict[str, Any]
) -> None:
    """Built by the launcher's own code into Kubernetes' own types, which refuse a field that they do not know."""
    from dagster_k8s.job import DagsterK8sJobConfig, UserDefinedDagsterK8sConfig, construct_dagster_k8s_job

    given = launcher(values)
    job_config = DagsterK8sJobConfig(
        job_image=f"{deployment['image']['repository']}:{deployment['image']['tag']}",
        dagster_home=values["global"]["dagsterHome"],
        instance_config_map=given["instance_config_map"],
        postgres_password_secret=given["postgres_password_secret"],
        env_vars=[f"{each['name']}={each['value']}" for each in deployment["env"]],
        env_secrets=[each["name"] for each in deployment["envSecrets"]],
        volume_mounts=deployment["volumeMounts"],
        volumes=deployment["volumes"],
        resources=given["resources"],
    )
    config = {
        "container_config": {"resources": given["resources"], "volume_mounts": deployment["volumeMounts"]},
        "pod_spec_config": {**given["run_k8s_config"]["pod_spec_config"], "volumes": deployment["volumes"]},
        "job_spec_config": given["run_k8s_config"]["job_spec_config"],
    }
    job = construct_dagster_k8s_job(
        job_config, ["dagster"], "run", UserDefinedDagsterK8sConfig.from_dict(config), pod_name="run"
    )
    (container,) = job.spec.template.spec.containers
    workers = int(next(each["value"] for each in deployment["env"] if each["name"] == "INDX_WORKERS"))
    assert container.resources.requests["cpu"] == str(workers)
    assert int(container.resources.limits["memory"].removesuffix("Gi")) > 2 * workers, "2 GiB a worker, and the run"
    assert job.spec.ttl_seconds_after_finished == 3600
    assert job.spec.template.spec.termination_grace_period_seconds == 120
    mounted = {mount.mount_path for mount in container.volume_mounts}
    assert "/etc/indx" in mounted


def test_what_makes_events_cheap_is_set_wherever_runs_are_planned_and_executed(
    values: dict[str, Any], deployment: dict[str, Any]
) -> None:
    for where in (values["dagsterWebserver"], values["dagsterDaemon"], deployment):
        environment = {each["name"]: each["value"] for each in where["env"]}
        assert environment["DAGSTER_EVENT_BATCH_SIZE"] == "500"
        assert environment["DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS"] == "1"
    assert deployment["includeConfigInLaunchedRuns"] == {"enabled": True}


def test_every_variable_of_ours_is_a_setting(deployment: dict[str, Any]) -> None:
    ours = {each["name"] for each in deployment["env"] if each["name"].startswith("INDX_")}
    assert ours - settings() == set()


def test_the_code_server_is_started_with_arguments_that_it_takes(deployment: dict[str, Any]) -> None:
    assert parses(["dagster", "api", "grpc", "-h", "0.0.0.0", "-p", "3030", *deployment["dagsterApiGrpcArgs"]])


def test_limits_stand_in_one_place(values: dict[str, Any]) -> None:
    """The chart refuses a limit in both `concurrency` and the run coordinator."""
    assert values["dagsterDaemon"]["runCoordinator"]["config"]["queuedRunCoordinator"] == {}
    assert values["concurrency"]["enabled"]
