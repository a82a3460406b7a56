"""``indx encode``."""

from collections.abc import Sequence
from typing import IO

import click

from indx_core.app.cli.commands.plan import parse_constraints
from indx_core.app.cli.output import columns, counted, json_option, show
from indx_core.contracts.annotation import AnnotationSelection
from indx_core.contracts.block import Block, BlockKind
from indx_core.contracts.encode import EncodeResult
from indx_core.contracts.errors import RequestInvalid

_OPTIONS = {"constraints": "--constraints", "embedding_space_ids": "--space", "signature_detection": "--signatures"}
"""How the command line calls what a plan decides."""


@click.command("encode")
@click.argument("source")
@click.option("--signatures", is_flag=True, help="Ask the installed parsers whether they recognise the document.")
@click.option("--space", "spaces", multiple=True, help="An embedding space to embed every chunk in.")
@click.option("--constraints", default="{}", help="Business constraints as JSON.")
@click.option("--plan", "plan_file", type=click.File("rb"), help="A plan to execute exactly: the JSON of `indx plan`.")
@click.option("--metadata", default="{}", help="Your own labels as a JSON object; carried onto the document block.")
@click.option("--classifier", "classifiers", multiple=True, help="A classifier to ask about the document.")
@click.option("--extractor", "extractors", multiple=True, help="An entity extractor to run over the pages.")
@click.option(
    "--extractor-for",
    "by_language",
    multiple=True,
    metavar="LANGUAGE=ID",
    help="An extractor for pages of a language, such as ja=vibrato, in the place of --extractor; repeat it for more.",
)
@click.option("--enricher", "enrichers", multiple=True, help="An enricher to ask about the document.")
@json_option
def command(  # noqa: PLR0913 - one parameter an option
    source: str,
    *,
    signatures: bool,
    spaces: tuple[str, ...],
    constraints: str,
    plan_file: IO[bytes] | None,
    metadata: str,
    classifiers: tuple[str, ...],
    extractors: tuple[str, ...],
    by_language: tuple[str, ...],
    enrichers: tuple[str, ...],
    as_json: bool | None,
) -> None:
    """Read SOURCE (a path or URI) into blocks, vectors and a trace.

    Example: indx encode report.pdf --space default-text
    """
    from indx_core.app.cli.request import build_encode_request
    from indx_core.app.facade import encode, source_of
    from indx_core.app.requests import parsed_json
    from indx_core.planning.refusals import contradicted

    request = build_encode_request(
        source_of(source),
        signature_detection=signatures,
        embedding_space_ids=spaces,
        constraints=parse_constraints(constraints),
        plan=parsed_json(plan_file.read(), "plan") if plan_file else None,
        metadata=metadata,
        classification=AnnotationSelection(document_ids=classifiers),
        extraction={"page_ids": extractors, "page_ids_by_language": _by_language(by_language)},
        enrichment=AnnotationSelection(document_ids=enrichers),
    )
    otherwise = [_OPTIONS.get(field, field) for field in contradicted(request)]
    if otherwise:
        raise click.UsageError(
            f"the plan of --plan decides otherwise: leave out {', '.join(otherwise)}, or plan with it"
        )
    show(encode(request), readable, as_json=as_json)


def _by_language(options: tuple[str, ...]) -> dict[str, list[str]]:
    """Extractor ids by language, out of ``ja=vibrato`` and the like."""
    found: dict[str, list[str]] = {}
    for option in options:
        language, equals, extractor = option.partition("=")
        if not (language and equals and extractor):
            raise RequestInvalid(f"{option!r} is no LANGUAGE=ID, such as ja=vibrato", param="extractor-for")
        found.setdefault(language, []).append(extractor)
    return found


def readable(result: EncodeResult) -> str:
    """Pages with their readers, languages, the first chunks with their boxes, and what was attempted."""
    pages = [block for block in result.blocks if block.kind is BlockKind.PAGE]
    chunks = [block for block in result.blocks if block.kind is BlockKind.CHUNK]
    boxed = sum(block.bbox is not None for block in chunks)
    attempts = [(e.scope, e.actual_capability_id, e.status.value, e.reason or "") for e in result.trace.events]
    usage, media_type = result.usage, result.plan.media_type
    size = f"{counted(usage.pages, 'page')}  {counted(len(chunks), 'chunk')} ({boxed} boxed)"
    cost = f"${usage.cost_usd:g}" if usage.cost_known else f"${usage.cost_usd:g} and an unknown price"
    head = f"{media_type}  {size}  {cost}  {usage.latency_ms} ms"
    return "\n".join(
        [
            head,
            _first(20, [(b.id, b.status.value, b.provenance.capability_id or "", _line(b)) for b in pages]),
            *_languages(result),
            "chunks",
            _first(10, [(b.id, _box(b), _line(b)) for b in chunks]),
            "trace",
            _first(20, attempts),
            *(f"{finding.code}: {finding.message}" for finding in result.trace.findings[:10]),
        ]
    )


def _first(shown: int, rows: Sequence[tuple[str, ...]]) -> str:
    """The first rows as columns, and how many are left out: a list that merely ends would pass for all there is."""
    left = len(rows) - shown
    return columns(rows[:shown]) + (f"\n  and {left:,} more: --json has them all" if left > 0 else "")


def _languages(result: EncodeResult) -> list[str]:
    """What was detected, and beside it what the format states of itself."""
    document = next((block.metadata for block in result.blocks if block.kind is BlockKind.DOCUMENT), {})
    detected = ", ".join(f"{each['language']} {each['confidence']:.2f}" for each in document.get("languages", ()))
    declared = document.get("declared_language")
    lines = (("languages", detected), ("declared language", declared))
    return [f"{name}  {value}" for name, value in lines if value]


def _line(block: Block) -> str:
    text = " ".join((block.text or block.reason or "").split())
    return text if len(text) <= 60 else text[:59] + "…"


def _box(block: Block) -> str:
    if block.bbox is None:
        return str(block.bbox_reason)
    return "[" + ", ".join(f"{edge:.3f}" for edge in block.bbox) + "]"
