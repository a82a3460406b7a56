"""``indx search``."""

import dataclasses
import json
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from indx_core.knowledge.search import Hit


@click.command("search")
@click.argument("text")
@click.option("--space", default="default-text", show_default=True, help="Embedding space to compare in.")
@click.option("-k", "count", default=5, show_default=True, type=click.IntRange(1, 1000), help="Hits at most.")
@click.option("--corpus", "corpora", multiple=True, help="Only documents of this corpus.")
@click.option("--folder", default="", help="Only documents below this folder of their corpus.")
@click.option("--media-type", "media_types", multiple=True, help="Only documents of this media type.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout, also on a terminal.")
def command(
    text: str,
    *,
    space: str,
    count: int,
    corpora: tuple[str, ...],
    folder: str,
    media_types: tuple[str, ...],
    as_json: bool,
) -> None:
    """Search the passages of the lake; each hit names its document, page and box.

    Example: indx search "解約 通知" -k 3
    """
    from indx_core.app.facade import embed
    from indx_core.kit.lake import Lake
    from indx_core.knowledge.search import SearchFilters, search

    filters = SearchFilters(corpora, folder, media_types)
    vector = embed(text, space).vector
    hits = search(Lake.open(), text=text, vector=vector, space=space, k=count, filters=filters)
    if as_json or not sys.stdout.isatty():
        click.echo(json.dumps([dataclasses.asdict(hit) for hit in hits], ensure_ascii=False, indent=2))
    else:
        click.echo("\n\n".join(readable(hit) for hit in hits) or "nothing found")


def readable(hit: "Hit") -> str:
    """Score, document, page and place on one line, the passage below."""
    place = "[" + ", ".join(f"{edge:.3f}" for edge in hit.box) + "]" if hit.box else str(hit.box_reason)
    passage = " ".join(hit.text.split())
    shown = passage if len(passage) <= 200 else passage[:199] + "…"
    return f"{click.style(f'{hit.score:.3f}', bold=True)}  {hit.key}  page {hit.page}  {place}\n       {shown}"
