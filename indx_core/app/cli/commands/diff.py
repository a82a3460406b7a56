"""``indx diff``."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from indx_core.app.cli.output import json_option, show

if TYPE_CHECKING:
    from indx_core.knowledge.space.difference import Difference

SHOWN = 50
"""Chunks listed on a terminal; JSON has them all."""
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}


@click.command("diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@json_option
def command(first: Path, second: Path, *, as_json: bool | None) -> None:
    """Compare two knowledge spaces: documents and chunks added, removed and changed.

    Example: indx diff march.indx april.indx
    """
    from indx_core.knowledge.space import KnowledgeSpace
    from indx_core.knowledge.space.difference import difference

    show(difference(KnowledgeSpace.load(first), KnowledgeSpace.load(second)), readable, as_json=as_json)


def readable(found: "Difference") -> str:
    """A line per document, then one per chunk of those that changed, then edges whose numbers differ.

    A document that came or went did so with all its chunks: their number says enough.
    """
    if found.empty:
        return "no difference"
    chunks = Counter(each.path for each in found.chunks)
    lines = [f"{_SIGNS[kind]} {path}  {chunks[path]:,} chunks" for kind, path in _whole(found)]
    lines += [f"{_SIGNS['changed']} {path}" for path in found.changed]
    inside = [each for each in found.chunks if each.path in set(found.changed)]
    lines += [
        f"  {_SIGNS[each.change]} {each.path}  {' → '.join(filter(None, (each.before, each.after)))}"
        for each in inside[:SHOWN]
    ]
    if len(inside) > SHOWN:
        lines.append(f"  and {len(inside) - SHOWN:,} more chunks")
    lines += [f"relations {kind}: {before:,} → {after:,}" for kind, (before, after) in found.relations.items()]
    return "\n".join(lines)


def _whole(found: "Difference") -> list[tuple[str, str]]:
    return [("added", path) for path in found.added] + [("removed", path) for path in found.removed]
