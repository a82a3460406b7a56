"""The text of ``docs/configuration.md``, made from the settings classes.

Nothing about a variable is written here: its name, type, default, stages and description are those of its field.
"""

from enum import Enum
from itertools import groupby
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from indx_core.kit.settings import IndxSettings, all_settings

PREFACE = """# Configuration

<!-- Generated from the settings classes by `make docs`; `make check` fails when it is stale. -->

`indx.toml` says what is ingested and how ([indx.toml](../indx.toml) is a commented example). The variables below say
how this installation works. Precedence: run config of Dagster, environment, `indx.toml`, default.

- A variable that is empty or blank has its default. A list is separated by commas.
- Values are read for each call, so a changed variable needs no restart.
- **Output of** names the pipeline stages whose data depends on the value: changing it makes their partitions stale.
  Operational variables change no data.
- A bad value stops the run before it spends anything, with exit status 8 and the variable's name, never its value.
"""
KINDS = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "yes or no",
    Path: "path",
    SecretStr: "text, **secret**",
}
SIGNS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


def page() -> str:
    """The whole page."""
    sections = [PREFACE]
    for folder, classes in groupby(all_settings(), key=_folder):
        sections.append(f"## `{folder}`\n")
        sections.extend(_section(cls) for cls in classes)
    return "\n".join(sections)


def _folder(cls: type[IndxSettings]) -> str:
    return cls.__module__.removesuffix(".settings").replace(".", "/")


def _section(cls: type[IndxSettings]) -> str:
    stages = ", ".join(cls.stages) or "operational"
    lines = [_first_paragraph(cls), "", "| variable | type | default | output of | meaning |", "|---|---|---|---|---|"]
    for name, info in cls.variables().items():
        meaning = (info.description or "").replace("|", "\\|")
        lines.append(f"| `{name}` | {_type(info)} | {_default(info)} | {stages} | {meaning} |")
    return "\n".join([*lines, ""])


def _first_paragraph(cls: type[IndxSettings]) -> str:
    return " ".join((cls.__doc__ or "").strip().split("\n\n")[0].split()).replace("``", "`")


def _type(info: FieldInfo) -> str:
    bounds = [f"{SIGNS[sign]} {limit:,}" for each in info.metadata for sign, limit in _limits(each)]
    return ", ".join([_kind(info.annotation), *bounds])


def _limits(constraint: Any) -> list[tuple[str, Any]]:
    return [(sign, getattr(constraint, sign)) for sign in SIGNS if hasattr(constraint, sign)]


def _kind(annotation: Any) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return " or ".join(_kind(each) for each in arguments if each is not NoneType)
    if origin is tuple:
        return f"list of {_kind(arguments[0])}"
    if origin is Literal:
        return " or ".join(f"`{each}`" for each in arguments)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return " or ".join(f"`{each.value}`" for each in annotation)
    return KINDS[annotation]


def _default(info: FieldInfo) -> str:
    if info.default_factory is not None:
        return "computed"
    if info.default is None or info.default in ("", ()):
        return "unset"
    if isinstance(info.default, bool):
        return "yes" if info.default else "no"
    return f"`{','.join(info.default) if isinstance(info.default, tuple) else info.default}`"
