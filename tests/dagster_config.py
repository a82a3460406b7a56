"""A dagster.yaml held against the schema of the instance, and each class it names against that class's own."""

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from dagster import Shape
from dagster._config import resolve_to_config_type, validate_config
from dagster._core.instance.config import dagster_instance_config_schema
from dagster._serdes import ConfigurableClassData

from indx_core.kit.settings import all_settings

STORAGES = {"postgres": ("dagster_postgres.storage", "DagsterPostgresStorage")}


def faults(config: Mapping[str, Any]) -> list[str]:
    """What Dagster would refuse; nothing is opened and no variable has to be set."""
    found = _faults(Shape(dagster_instance_config_schema()), config)
    for section, value in config.items():
        for module, name, given in _classes(section, value):
            # Its own class for this, since files keep names of modules that moved long ago (`dagster.core`).
            moved = ConfigurableClassData(module, name, "{}").module_name
            loaded = getattr(importlib.import_module(moved), name)
            found += [f"{section}: {fault}" for fault in _faults(Shape(loaded.config_type()), given)]
    return found


def variables(config: Any) -> set[str]:
    """Names of the environment variables that a configuration reads: every ``{env: NAME}``."""
    if isinstance(config, Mapping):
        if set(config) == {"env"} and isinstance(config["env"], str):
            return {config["env"]}
        return {name for value in config.values() for name in variables(value)}
    if isinstance(config, list):
        return {name for value in config for name in variables(value)}
    return set()


def settings() -> set[str]:
    """Every ``INDX_*`` variable there is."""
    return {name for each in all_settings() for name in each.variables()}


def _classes(section: str, value: Any) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    if not isinstance(value, Mapping):
        return
    if {"module", "class"} <= set(value):
        yield value["module"], value["class"], value.get("config", {})
    elif section == "storage":
        for kind, given in value.items():
            yield *STORAGES[kind], given


def _faults(schema: Any, value: Mapping[str, Any]) -> list[str]:
    # Validation alone: processing would also read the variables, which are the deployment's to set.
    return [error.message for error in validate_config(resolve_to_config_type(schema), value).errors or ()]
