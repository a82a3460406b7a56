"""``indx embed``."""

import click

from indx_core.app.cli.output import json_option, show
from indx_core.contracts.encode import EmbedResult

SHOWN = 6
"""Components listed for people; JSON has the vector."""


@click.command("embed")
@click.argument("text")
@click.option("--space", default="default-text", show_default=True, help="Embedding space.")
@json_option
def command(text: str, space: str, as_json: bool | None) -> None:
    """Place the query TEXT in an embedding space.

    Example: indx embed "annual recurring revenue"
    """
    from indx_core.app.facade import embed

    show(embed(text, space), readable, as_json=as_json)


def readable(result: EmbedResult) -> str:
    """The space, who answered, and the largest components: the head of a hashed vector is zeros."""
    space, vector = result.embedding_space, result.vector
    largest = sorted(range(len(vector)), key=lambda place: (-abs(vector[place]), place))[:SHOWN]
    shown = "  ".join(f"{place}: {vector[place]:.4f}" for place in sorted(largest))
    others = sum(value != 0 for value in vector) - len(largest)
    more = f"  and {others:,} smaller ones" if others > 0 else ""
    return f"{space.id}  {space.dimension}-d  {space.metric}  by {result.embedder.embedder_id}\n  {shown}{more}"
