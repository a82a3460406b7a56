"""A Google-style docstring in its parts, as Markdown. Knows nothing of what is documented."""

import inspect
import re
from typing import Any, NamedTuple

SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises")
_SECTION = re.compile(rf"^({'|'.join(SECTIONS)}):(.*)$")
_ENTRY = re.compile(r"^(\*{0,2}\w[\w.]*): (.*)$")


class Doc(NamedTuple):
    """A docstring in parts.

    Attributes:
        text: What stands before the first section.
        entries: Of each section, name to text; of ``Returns`` and ``Yields`` one entry without a name.
    """

    text: str
    entries: dict[str, dict[str, str]]


def parse(documented: Any) -> Doc:
    """The docstring of a module, class or function in its parts."""
    text: list[str] = []
    entries: dict[str, dict[str, str]] = {}
    section, entry = "", ""
    for line in (inspect.getdoc(documented) or "").splitlines():
        if started := _SECTION.match(line):
            section, entry = started[1], ""
            entries[section] = {"": started[2].strip()} if started[2].strip() else {}
        elif section and line and not line.startswith(" "):
            section = ""
            text.append(line)
        elif section and line.strip():
            entry = _entry(entries[section], entry, line)
        elif not section:
            text.append(line)
    return Doc(_markdown("\n".join(text).strip()), {name: dict(found) for name, found in entries.items()})


def _entry(entries: dict[str, str], current: str, line: str) -> str:
    """Add a line of a section, indented by four: the beginning of an entry, or the rest of the one before."""
    named = _ENTRY.match(line[4:])
    if named:
        entries[named[1]] = _markdown(named[2])
        return named[1]
    entries[current] = f"{entries.get(current, '')} {_markdown(line.strip())}".strip()
    return current


def _markdown(text: str) -> str:
    return text.replace("``", "`")
