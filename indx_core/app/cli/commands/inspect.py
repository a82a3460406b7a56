"""``indx inspect``."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from indx_core.app.cli.output import columns, json_option, print_json, say, wants_json

if TYPE_CHECKING:
    from indx_core.knowledge.space import KnowledgeSpace


SHOWN = 20
"""Errors listed; the others are counted."""


@click.command("inspect")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def command(path: Path, *, as_json: bool | None) -> None:
    """Check a knowledge space and count what is in it. PATH is an .indx archive or the folder it was unpacked to.

    Example: indx inspect lake/knowledge_space/sample/space.indx --json
    """
    from indx_core.knowledge.space import KnowledgeSpace

    space = KnowledgeSpace.load(path)
    if wants_json(as_json=as_json):
        print_json(space.stats.model_dump(mode="json"))
    else:
        say(readable(space))


def readable(space: "KnowledgeSpace") -> str:
    """Counts, then edges by type, vectors by space and what could not be processed."""
    stats = space.stats
    rows = [
        ("schema", space.version),
        ("root", space.root),
        ("documents", f"{stats.documents:,}"),
        *((f"  {name}", f"{count:,}") for name, count in stats.types.items()),
        ("chunks", f"{stats.chunks:,}"),
        ("relations", f"{stats.relations:,}"),
        *((f"  {name}", f"{count:,}") for name, count in space.relation_counts().items()),
        ("embeddings", f"{stats.embeddings:,}"),
        *((f"  {name}", f"{len(each.rows):,} x {each.dimension}") for name, each in space.vectors.items()),
        ("source bytes", f"{stats.bytes_source:,}"),
        ("errors", f"{len(space.errors):,}"),
    ]
    errors = [f"  {error['path']}  {error['code']}: {error['message']}" for error in space.errors[:SHOWN]]
    if len(space.errors) > SHOWN:
        errors.append(f"  and {len(space.errors) - SHOWN:,} more")
    return "\n".join([columns(rows, indent=""), *errors])
