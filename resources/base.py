"""A resource that mirrors settings classes field by field, so that neither can drift from the other.

And its settings put in force where a step, a sensor or a schedule runs (``resource_settings``). A field left empty
takes the environment, then the default; one that is set (in code, or by run config in the launchpad) wins over both.
Secrets are left out: an unset ``EnvVar`` on an optional field fails the run, and a literal would be shown, so
credentials stay in the environment.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import dagster as dg
from pydantic import Field, SecretStr, create_model

from indx_core.kit.settings import IndxSettings, overriding


class SettingsResource(dg.ConfigurableResource[Any]):
    """Base of the mirrors: which variables it sets."""

    def variables(self) -> dict[str, str]:
        """``INDX_*`` variables of the fields that were set, as worker processes are given them."""
        given = {f"INDX_{name.upper()}": getattr(self, name) for name in type(self).model_fields}
        return {variable: _text(value) for variable, value in given.items() if value is not None}


def mirror(name: str, description: str, classes: Iterable[type[IndxSettings]]) -> type[SettingsResource]:
    """A resource class with one optional field per variable of the given settings classes.

    Args:
        name: Class name, shown in the UI.
        description: What the resource configures; becomes the docstring.
        classes: Settings whose variables it mirrors.
    """
    fields: dict[str, Any] = {
        variable.removeprefix("INDX_").lower(): (
            _config_type(info.annotation) | None,
            Field(default=None, description=f"{variable}: {info.description}"),
        )
        for each in classes
        for variable, info in each.variables().items()
        if not _secret(info.annotation)
    }
    return create_model(name, __base__=SettingsResource, __doc__=description, __module__=__name__, **fields)


@contextmanager
def resource_settings(
    context: dg.AssetExecutionContext
    | dg.OpExecutionContext
    | dg.AssetCheckExecutionContext
    | dg.SensorEvaluationContext
    | dg.ScheduleEvaluationContext,
    names: Sequence[str],
) -> Iterator[None]:
    """The settings that the context's resources carry, over those of the environment."""
    resources: list[SettingsResource] = [getattr(context.resources, name) for name in names]
    with overriding({variable: value for resource in resources for variable, value in resource.variables().items()}):
        yield


def _config_type(annotation: Any) -> Any:
    """The nearest type Dagster's config knows; values are validated by the settings class, which has the exact one."""
    for kind in (bool, int, float):
        if kind.__name__ in str(annotation).replace("|", " ").replace("<class '", " ").replace("'>", " ").split():
            return kind
    return str


def _secret(annotation: Any) -> bool:
    return SecretStr.__name__ in str(annotation)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
