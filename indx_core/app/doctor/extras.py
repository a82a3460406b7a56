"""Which extras of the distribution are installed, by its own metadata."""

import importlib.metadata
import re
from collections.abc import Iterator

from indx_core.app.doctor.report import Check, Status

DISTRIBUTION = "indx-dagster"

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


def extra_checks() -> Iterator[Check]:
    """One check an extra: there, or the packages it lacks and the command that brings them."""
    for extra, needed in sorted(requirements().items()):
        lacking = [name for name in needed if not _installed(name)]
        if lacking:
            detail = f"lacks {', '.join(lacking)}"
            yield Check(area="extras", name=extra, status=Status.ABSENT, detail=detail, remedy=install(extra))
        else:
            versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in needed)
            yield Check(area="extras", name=extra, status=Status.OK, detail=versions)


def requirements() -> dict[str, list[str]]:
    """Distributions that each extra asks for, in the order they are declared."""
    found: dict[str, list[str]] = {}
    for line in importlib.metadata.requires(DISTRIBUTION) or []:
        name, extra = _NAME.match(line), _EXTRA.search(line)
        if name and extra:
            found.setdefault(extra[1], []).append(name[0])
    return found


def install(extra: str) -> str:
    """The command that installs an extra: into the checkout where this is one, else from the index."""
    origin = importlib.metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or ""
    editable = re.search(r'"editable"\s*:\s*true', origin)
    return f"pip install --editable '.[{extra}]'" if editable else f"pip install '{DISTRIBUTION}[{extra}]'"


def _installed(name: str) -> bool:
    try:
        importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True
