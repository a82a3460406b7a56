"""``indx search``."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from pydantic import BaseModel

from indx_core.app.cli.output import json_option, print_json, say, wants_json

if TYPE_CHECKING:
    from indx_core.knowledge.search import Hit

_FILTERS = (
    click.option("--corpus", "corpora", multiple=True, help="Only documents of this corpus."),
    click.option("--folder", default="", help="Only documents below this folder of their corpus."),
    click.option("--document", "documents", multiple=True, help="Only this document: its path or its key."),
    click.option("--type", "types", multiple=True, help="Only documents of this type, such as pdf or contract."),
    click.option("--media-type", "media_types", multiple=True, help="Only documents of this media type."),
    click.option("--language", "languages", multiple=True, help="Only documents mainly in this language, such as ja."),
    click.option("--label", "labels", multiple=True, help="Only passages with this label, or of such a document."),
    click.option("--entity", "entities", multiple=True, help="Only passages that name this."),
    click.option("--since", default="", help="Only documents dated from then on: 2024, 2024-04 or 2024-04-01."),
    click.option("--until", default="", help="Only documents dated up to then, inclusive."),
)


def _with_filters(function: Any) -> Any:
    for option in reversed(_FILTERS):
        function = option(function)
    return function


@click.command("search")
@click.argument("text")
@click.option("--in", "archive", type=click.Path(path_type=Path), help="Search this .indx file instead of the lake.")
@click.option(
    "--space", default=None, help="Embedding space to compare in.  [default: default-text; with --in the archive's own]"
)
@click.option("--words-only", is_flag=True, help="Compare no vectors.")
@click.option("-k", "count", default=5, show_default=True, type=click.IntRange(1, 1000), help="Hits at most.")
@_with_filters
@json_option
def command(
    text: str,
    *,
    archive: Path | None,
    space: str | None,
    words_only: bool,
    count: int,
    as_json: bool | None,
    **filters: Any,
) -> None:
    """Search the passages of the lake; each hit names its document, page and box.

    Filters given more than once admit any of their values; different ones have to hold together.

    Example: indx search "解約 通知" -k 3
    """
    from indx_core.app.facade import search

    hits = search(text, archive=archive, space=space, words_only=words_only, k=count, **filters)
    if wants_json(as_json=as_json):
        print_json([as_json_value(hit) for hit in hits])
    else:
        say("\n\n".join(readable(hit) for hit in hits) or "nothing found")


def as_json_value(hit: "Hit") -> dict[str, Any]:
    """A hit with every field, edges among them."""
    fields = {each.name: getattr(hit, each.name) for each in dataclasses.fields(hit)}
    return {name: _plain(value) for name, value in fields.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def readable(hit: "Hit") -> str:
    """Score, document, page, place and components on one line, the passage below."""
    place = "[" + ", ".join(f"{edge:.3f}" for edge in hit.box) + "]" if hit.box else str(hit.box_reason)
    found_by = " + ".join(f"{name} {part:.3f}" for name, part in hit.found_by.items())
    passage = " ".join(hit.text.split())
    shown = passage if len(passage) <= 200 else passage[:199] + "…"
    return f"{hit.score:.3f}  {hit.key}  page {hit.page}  {place}  {found_by}\n       {shown}"
