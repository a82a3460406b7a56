"""The pages of ``docs/api``, made from the docstrings and annotations of what ``import indx_core as indx`` gives.

Nothing about a function or a field is written here. Docstrings are Google style; the pages are plain Markdown.
"""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Any, get_args

from docstrings import SECTIONS, parse
from pydantic import BaseModel
from pydantic.fields import FieldInfo

import indx_core as indx
from indx_core import ports
from indx_core.contracts import errors

NOTE = "<!-- Generated from the docstrings by `make docs`; `make check` fails when it is stale. -->"
INDEX = f"""# The Python interface

{NOTE}

```python
import indx_core as indx

result = indx.encode("report.pdf", embedding_space_ids=["default-text"])
for block in result.blocks:
    print(block.id, block.text)
```

One contract through Python, the command line and HTTP: requests and results below are the JSON of the others. All of it
is typed (`py.typed`), and imported on first use. Failures are [typed errors](errors.md); what requests and results hold
is on [models](models.md); what a plugin implements, on [ports](ports.md).

Pages count from 1. Boxes are `[x0, y0, x1, y1]`, 0-1, from the top left of the page as displayed. Costs are US dollars,
times milliseconds, sizes bytes, vectors float32 of the dimension that their space states. `Source` is an `InlineSource`
or a `UriSource`.
"""
MODELS = f"""# Models

{NOTE}

Frozen values. Unknown fields are refused, in a knowledge space ignored: a later version may have
added them. Fields without a default are required.
"""


def pages() -> dict[str, Callable[[], str]]:
    """The pages by their path below ``docs``."""
    return {
        "api/index.md": index,
        "api/models.md": models,
        "api/errors.md": error_classes,
        "api/ports.md": port_classes,
    }


def index() -> str:
    """Functions, and the service behind them."""
    public = {name: getattr(indx, name) for name in indx.__all__}
    functions = [_function(name, it) for name, it in public.items() if inspect.isfunction(it)]
    others = [name for name, it in public.items() if isinstance(it, type) and issubclass(it, BaseModel)]
    listed = ", ".join(f"[`{name}`](models.md#{name.lower()})" for name in others)
    service = _class(indx.Service)
    return "\n".join([INDEX, *functions, service, f"## Also exported\n\n{listed}, [`IndxError`](errors.md).", ""])


def models() -> str:
    """Every model that a public one leads to, by module."""
    found = sorted(reachable(), key=lambda cls: (cls.__module__, inspect.getsourcelines(cls)[1]))
    parts = [MODELS]
    module = ""
    for cls in found:
        if cls.__module__ != module:
            module = cls.__module__
            parts.append(f"## `{module}`\n\n{parse(inspect.getmodule(cls)).text}\n")
        parts.append(_enumeration(cls) if issubclass(cls, Enum) else _model(cls))
    return "\n".join(parts)


def error_classes() -> str:
    """Every error class with its places on the wire."""
    base = parse(errors.IndxError)
    rows = [
        f"| `{cls.__name__}` | `{cls.code or cls.type}` | {cls.http_status} | {cls.exit_code} | {cls.cause.value} "
        f"| {' '.join(parse(cls).text.split())} | {cls.remedy} |"
        for cls in _subclasses(errors.IndxError)
    ]
    attributes = "\n".join(f"- `{name}`: {text}" for name, text in base.entries.get("Attributes", {}).items())
    head = "| class | code | HTTP | exit | cause | when | what to do |\n|---|---|---|---|---|---|---|"
    return f"# Errors\n\n{NOTE}\n\n`indx_core.contracts.errors.IndxError`: {base.text}\n\n{attributes}\n\n" + "\n".join(
        [head, *rows, ""]
    )


def port_classes() -> str:
    """Every protocol that a plugin implements."""
    parts = [f"# Ports\n\n{NOTE}\n\nWhat a plugin implements; [how to write one](../plugins.md).\n"]
    for info in pkgutil.iter_modules(ports.__path__):
        module = importlib.import_module(f"{ports.__name__}.{info.name}")
        own = [cls for cls in vars(module).values() if isinstance(cls, type) and cls.__module__ == module.__name__]
        parts.append(f"## `{module.__name__}`\n\n{parse(module).text}\n")
        parts += [
            _values(cls) if dataclasses.is_dataclass(cls) or issubclass(cls, tuple) else _class(cls) for cls in own
        ]
    return "\n".join(parts)


def reachable() -> set[type[BaseModel | Enum]]:
    """Models and enumerations that the fields of public models lead to, the public ones included."""
    public = [getattr(indx, name) for name in indx.__all__]
    waiting = [it for it in public if isinstance(it, type) and issubclass(it, (BaseModel, Enum))]
    found: set[type[BaseModel | Enum]] = set()
    while waiting:
        cls = waiting.pop()
        if cls in found:
            continue
        found.add(cls)
        if issubclass(cls, BaseModel):
            waiting += [one for info in cls.model_fields.values() for one in _types(info.annotation)]
    return found


def undocumented() -> list[str]:
    """Fields of reachable models whose meaning is stated nowhere."""
    return sorted(
        f"{cls.__name__}.{name}"
        for cls in reachable()
        if issubclass(cls, BaseModel)
        for name, info in cls.model_fields.items()
        if not _meaning(cls, name, info)
    )


def _class(cls: type) -> str:
    """A class by what can be called on it."""
    doc = parse(cls)
    attributes = [f"- `{name}`: {text}\n" for name, text in doc.entries.get("Attributes", {}).items()]
    parts = [f"### {cls.__name__}\n\n{doc.text}\n", "".join(attributes)]
    for name, member in vars(cls).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property) and member.fget is not None:
            returned = _definition(member.fget).returns
            parts.append(f"**`{name}: {ast.unparse(returned) if returned else ''}`** {parse(member).text}\n")
        elif inspect.isfunction(member):
            parts.append(_function(f"{cls.__name__}.{name}", member, level=4))
    return "\n".join(parts)


def _function(name: str, function: Callable[..., Any], level: int = 2) -> str:
    doc, definition = parse(function), _definition(function)
    definition.args.args = [each for each in definition.args.args if each.arg != "self"]
    returned = ast.unparse(definition.returns) if definition.returns else "None"
    signature = f"{name}({ast.unparse(definition.args)}) -> {returned}"
    parts = [f"{'#' * level} `{name}`\n", f"```python\n{signature}\n```\n", f"{doc.text}\n"]
    for section in SECTIONS:
        found = doc.entries.get(section, {})
        lines = [f"- `{entry}`: {text}" if entry else f"- {text}" for entry, text in found.items()]
        if lines:
            parts.append(f"{section}:\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """A function as it is written: its annotations by the names that its author gave them."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    if not isinstance(definition, ast.FunctionDef):
        raise TypeError(f"{function!r} is no plain function")
    return definition


def _model(cls: type[BaseModel]) -> str:
    written = _annotations(cls)
    rows = [(name, written[name], _default(info), _meaning(cls, name, info)) for name, info in cls.model_fields.items()]
    methods = [
        _function(f"{cls.__name__}.{name}", member, level=4)
        for name, member in vars(cls).items()
        if inspect.isfunction(member) and not name.startswith("_") and member.__module__ == cls.__module__
    ]
    return "\n".join([f"### {cls.__name__}\n\n{parse(cls).text}\n", _table(rows), "", *methods])


def _values(cls: type) -> str:
    """A dataclass or named tuple that a port is asked with or answers with."""
    meanings, defaults = parse(cls).entries.get("Attributes", {}), _plain_defaults(cls)
    rows = [
        (name, written, defaults.get(name, "required"), meanings.get(name, ""))
        for name, written in _annotations(cls).items()
        if not name.startswith("_")
    ]
    return f"### {cls.__name__}\n\n{parse(cls).text}\n\n{_table(rows)}\n"


def _table(rows: Iterable[tuple[str, str, str, str]]) -> str:
    cells = [tuple(cell.replace("|", "\\|") for cell in row) for row in rows]
    lines = [f"| `{name}` | `{kind}` | {default} | {meaning} |" for name, kind, default, meaning in cells]
    return "\n".join(["| field | type | default | meaning |", "|---|---|---|---|", *lines])


def _annotations(cls: type) -> dict[str, str]:
    """Annotations of a class and its bases as they are written, by field."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("indx_core"):
            (definition,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            for each in definition.body if isinstance(definition, ast.ClassDef) else ():
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    found[each.target.id] = ast.unparse(each.annotation)
    return found


def _plain_defaults(cls: Any) -> dict[str, str]:
    if not dataclasses.is_dataclass(cls):
        return {name: f"`{value!r}`" for name, value in cls._field_defaults.items()}
    found = {each.name: each for each in dataclasses.fields(cls)}
    plain = {n: f"`{each.default!r}`" for n, each in found.items() if each.default is not dataclasses.MISSING}
    made = {n: each.default_factory for n, each in found.items() if each.default_factory is not dataclasses.MISSING}
    return plain | {name: f"`{make()!r}`" for name, make in made.items()}


def _enumeration(cls: type[Enum]) -> str:
    values = ", ".join(f"`{member.value}`" for member in cls)
    return f"### {cls.__name__}\n\n{parse(cls).text}\n\nOne of {values}.\n"


def _meaning(cls: type[BaseModel], name: str, info: FieldInfo) -> str:
    """What a field means: of the class that documents it, nearest first."""
    if info.description:
        return info.description
    docs = (parse(base).entries.get("Attributes", {}) for base in cls.__mro__ if issubclass(base, BaseModel))
    return next((doc[name] for doc in docs if name in doc), "")


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True)
    if isinstance(value, BaseModel):
        return f"`{type(value).__name__}()`"
    if isinstance(value, Enum):
        return f"`{value.value}`"
    if isinstance(value, tuple) and value:
        return ", ".join(f"`{each.value if isinstance(each, Enum) else each}`" for each in value)
    return f"`{value!r}`"


def _types(annotation: Any) -> Iterator[type[BaseModel | Enum]]:
    """The models and enumerations inside an annotation."""
    if isinstance(annotation, type) and not get_args(annotation):
        if issubclass(annotation, BaseModel) or (
            issubclass(annotation, Enum) and annotation.__module__.startswith("indx_core")
        ):
            yield annotation
        return
    for part in get_args(annotation):
        yield from _types(part)


def _subclasses(base: type[errors.IndxError]) -> list[type[errors.IndxError]]:
    own = [cls for cls in vars(errors).values() if isinstance(cls, type) and issubclass(cls, base)]
    return sorted(own, key=lambda cls: inspect.getsourcelines(cls)[1])
