"""``indx export``: process charts of a presentation as diagrams, and a knowledge space for somebody else's index.

Knows no format of a diagram and none of an index.
"""

from pathlib import Path

import click

from indx_core.app.cli.output import writing
from indx_core.contracts.encode import EncodeResult
from indx_core.signatures.process_chart.chart import ProcessChart

_DIAGRAMS = ("drawio", "mermaid")
_INDEXES = ("jsonl", "parquet", "qdrant")
_REMEDY = "`indx plan --signatures` names the pages that are recognised"


@click.command("export")
@click.argument("format_", metavar="FORMAT", type=click.Choice([*_DIAGRAMS, *_INDEXES]))
@click.argument("source")
@click.option("--page", type=click.IntRange(min=1), help="The page whose chart to write; by default every page's.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write a diagram to; by default standard output. Folder to write an index to.",
)
def command(format_: str, source: str, page: int | None, output: Path | None) -> None:
    """Write what SOURCE holds in the format of another program.

    drawio and mermaid: the process charts of a document (a path or URI). A drawio file has one page a chart; mermaid
    source is one diagram, so of several charts --page names the one.

    jsonl, parquet and qdrant: the chunks and vectors of a knowledge space (an .indx archive, or the folder it was
    unpacked to), with the embedding space and the encoder of its queries.

    Example: indx export drawio line.pptx -o line.drawio
    """
    if format_ in _INDEXES:
        _export_space(format_, Path(source), output)
    else:
        _export_charts(format_, source, page, output)


def _export_space(format_: str, archive: Path, output: Path | None) -> None:
    from indx_core.app.pipeline.slots import writer_named
    from indx_core.contracts.errors import RequestInvalid
    from indx_core.knowledge.space import KnowledgeSpace

    if output is None:
        raise RequestInvalid("an index is several files", param="output", remedy="name a folder for them with -o")
    space = KnowledgeSpace.load(archive)
    with writing(output):
        output.mkdir(parents=True, exist_ok=True)
        writer_named(format_).write(space, output)


def _export_charts(format_: str, source: str, page: int | None, output: Path | None) -> None:
    from indx_core.app.facade import encode
    from indx_core.contracts.plan import Granularity

    result = encode(source, signature_detection=True, granularities=(Granularity.DOCUMENT, Granularity.PAGE))
    data = written(charts(result), format_, page).encode()
    if output is None:
        click.echo(data, nl=False)
        return
    with writing(output):
        output.write_bytes(data)


def charts(result: EncodeResult) -> dict[int, ProcessChart]:
    """The charts of an encoded document by page number."""
    from indx_core.signatures.process_chart.chart import METADATA_KEY

    return {
        int(block.id.removeprefix("page:")): ProcessChart.model_validate(block.metadata[METADATA_KEY])
        for block in result.blocks
        if METADATA_KEY in block.metadata and block.id.startswith("page:")
    }


def written(found: dict[int, ProcessChart], format_: str, page: int | None) -> str:
    """The file's text.

    Args:
        found: Charts by page number.
        format_: ``drawio`` or ``mermaid``.
        page: The one to write; ``None`` for all.

    Raises:
        RequestInvalid: There is no such chart, or several and one diagram to put them in.
    """
    from indx_core.contracts.errors import RequestInvalid
    from indx_core.signatures.process_chart.drawio import to_drawio
    from indx_core.signatures.process_chart.mermaid import to_mermaid

    if not found:
        raise RequestInvalid("no page of the source is drawn as a process chart", param="source", remedy=_REMEDY)
    if page is not None and page not in found:
        raise RequestInvalid(f"page {page} is not drawn as a process chart", param="page", remedy=_REMEDY)
    chosen = list(found.values()) if page is None else [found[page]]
    if format_ == "drawio":
        return to_drawio(*chosen)
    if len(chosen) > 1:
        pages = ", ".join(map(str, found))
        message = f"pages {pages} are process charts, and Mermaid source is one diagram"
        raise RequestInvalid(message, param="page", remedy="name one of them with --page")
    return to_mermaid(chosen[0])
