"""``indx export``: the process charts of a presentation as diagram files. Knows no format of a diagram."""

from pathlib import Path

import click

from indx_core.contracts.encode import EncodeResult
from indx_core.signatures.process_chart.chart import ProcessChart

_REMEDY = "`indx plan --signatures` names the pages that are recognised"


@click.command("export")
@click.argument("format_", metavar="FORMAT", type=click.Choice(["drawio", "mermaid"]))
@click.argument("source")
@click.option("--page", type=click.IntRange(min=1), help="The page whose chart to write; by default every page's.")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="File to write; by default standard output."
)
def command(format_: str, source: str, page: int | None, output: Path | None) -> None:
    """Write the process charts of SOURCE (a path or URI) as a drawio file or as mermaid source.

    A drawio file has one page a chart; mermaid source is one diagram, so of several charts --page names the one.

    Example: indx export drawio line.pptx -o line.drawio
    """
    from indx_core.app.facade import encode
    from indx_core.contracts.plan import Granularity

    result = encode(source, signature_detection=True, granularities=(Granularity.DOCUMENT, Granularity.PAGE))
    data = written(charts(result), format_, page).encode()
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise click.FileError(str(output), error.strerror) from None


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
