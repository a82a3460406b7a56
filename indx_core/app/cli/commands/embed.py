"""``indx embed``."""

import click

from indx_core.app.cli.output import json_option, show
from indx_core.contracts.encode import EmbedResult


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
    """The space, who answered, and the head of the vector."""
    head = ", ".join(f"{value:.4f}" for value in result.vector[:8])
    space = result.embedding_space
    return f"{space.id}  {space.dimension}-d  {space.metric}  by {result.embedder.embedder_id}\n[{head}, …]"
