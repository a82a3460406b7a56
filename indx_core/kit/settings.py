"""The only place that reads the environment: ``INDX_*`` variables as typed, documented fields.

Every folder with something to configure subclasses ``IndxSettings`` in its own ``settings.py``. Values are read per
call, so a changed variable needs no restart. What belongs in ``indx.toml`` (what to ingest) is in ``kit/config.py``.
"""

import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, SecretBytes, SecretStr, ValidationError
from pydantic.fields import FieldInfo

import indx_core
from indx_core.contracts.base import fault
from indx_core.contracts.errors import SettingsInvalid

_overrides: ContextVar[Mapping[str, str]] = ContextVar("indx_settings_overrides", default=MappingProxyType({}))


class IndxSettings(BaseModel):
    """Base of every settings class: one field per variable, named ``INDX_<prefix><FIELD>``.

    Subclasses set ``prefix`` (``"OCR_"`` for ``INDX_OCR_DPI``) and give each field a description, which is what
    ``docs/configuration.md`` prints. An empty or blank value means the default, everywhere. A field of a tuple type
    takes a comma-separated list.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
    prefix: ClassVar[str] = ""
    stages: ClassVar[tuple[str, ...]] = ()
    """Pipeline stages whose output depends on these values: part of their data versions. Empty: operational only."""

    @classmethod
    def variable(cls, field: str) -> str:
        """Name of the variable behind a field."""
        return f"INDX_{cls.prefix}{field.upper()}"

    @classmethod
    def load(cls) -> Self:
        """Read the variables now.

        Raises:
            SettingsInvalid: One does not validate. The message is rebuilt from the variable's name and the reason
                alone, so a credential never travels into it.
        """
        found = {name: _value(cls.variable(name), info) for name, info in cls.model_fields.items()}
        try:
            return cls.model_validate({name: value for name, value in found.items() if value is not None})
        except ValidationError as error:
            raise SettingsInvalid(_reasons(cls, error)) from None

    @classmethod
    def variables(cls) -> dict[str, FieldInfo]:
        """Every variable of this class with its field, in the order they are written."""
        return {cls.variable(name): info for name, info in cls.model_fields.items()}


def environment() -> dict[str, str]:
    """Every ``INDX_*`` variable in force, overrides included: what a worker process is started with."""
    own = {name: value for name, value in os.environ.items() if name.startswith("INDX_")}
    return {**own, **_overrides.get()}


def terminal_colours() -> bool | None:
    """``False`` where the user wants none (no-color.org) or the terminal has none, else ``None``: as click decides."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


@contextmanager
def overriding(values: Mapping[str, str]) -> Iterator[None]:
    """Put variables over the environment for the duration of a block, in this thread or task only.

    Used by Dagster resources (run config wins over the environment) and by tests.
    """
    token = _overrides.set({**_overrides.get(), **values})
    try:
        yield
    finally:
        _overrides.reset(token)


def install(values: Mapping[str, str]) -> None:
    """Make these the ``INDX_*`` variables of this whole process, in the place of its own. For worker processes only."""
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        del os.environ[name]
    os.environ.update(values)


def all_settings() -> list[type[IndxSettings]]:
    """Every settings class, by module and name: of the files ``settings.py`` here, and of third parties loaded so far.

    A class that another one extends is a shared base and has no variables of its own.
    """
    _import_settings_modules()
    found = _settings_classes(IndxSettings)
    bases = {base for cls in found for base in cls.__mro__[1:]}
    return sorted((cls for cls in found if cls not in bases), key=lambda cls: (cls.__module__, cls.__qualname__))


def recipe(stage: str) -> dict[str, object]:
    """What the output of a pipeline stage depends on: variable to JSON-ready value, sorted, secrets left out.

    Raises:
        SettingsInvalid: A variable does not validate.
    """
    values: dict[str, object] = {}
    for cls in all_settings():
        if stage in cls.stages:
            dumped = cls.load().model_dump(mode="json")
            values |= {cls.variable(name): dumped[name] for name, info in cls.model_fields.items() if not _secret(info)}
    return dict(sorted(values.items()))


@lru_cache(maxsize=1)
def _import_settings_modules() -> None:
    root = Path(indx_core.__path__[0])
    for file in sorted(root.rglob("settings.py")):
        importlib.import_module(".".join(("indx_core", *file.relative_to(root).with_suffix("").parts)))


def _settings_classes(base: type[IndxSettings]) -> set[type[IndxSettings]]:
    own = {cls for cls in base.__subclasses__() if cls.__module__.rpartition(".")[2] == "settings"}
    return own.union(*(_settings_classes(cls) for cls in base.__subclasses__()))


def _secret(info: FieldInfo) -> bool:
    kinds = (info.annotation, *get_args(info.annotation))
    return any(isinstance(kind, type) and issubclass(kind, SecretStr | SecretBytes) for kind in kinds)


def _value(variable: str, info: FieldInfo) -> Any:
    raw = _overrides.get().get(variable, os.environ.get(variable))
    if raw is None or not raw.strip():
        return None
    if "tuple" in str(info.annotation):
        return tuple(part.strip() for part in raw.split(",") if part.strip())
    return raw.strip()


def _reasons(cls: type[IndxSettings], error: ValidationError) -> str:
    lines = []
    for problem in error.errors(include_url=False, include_input=False, include_context=False):
        name = str(problem["loc"][0]) if problem["loc"] else ""
        lines.append(f"{cls.variable(name)}: {fault(problem)}" if name else fault(problem))
    return "; ".join(lines)
