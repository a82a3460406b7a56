"""``indx preview``."""

import json
import sys
from pathlib import Path

import click


@click.command("preview")
@click.argument("key")
@click.argument("page", type=click.IntRange(min=1))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="PNG to write.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout, also on a terminal.")
def command(key: str, page: int, output: Path, *, as_json: bool) -> None:
    """Draw PAGE of the ingested document KEY with the boxes of its chunks, each with its number.

    PDF pages and images can be drawn. Chunks without a box are counted, with the reason.

    Example: indx preview sample/invoice-with-scan.pdf 1 -o page.png
    """
    from indx_core.app.preview import preview
    from indx_core.contracts.errors import RequestInvalid
    from indx_core.kit.config import load_config
    from indx_core.kit.lake import Lake
    from indx_core.kit.registry import discover

    drawn = preview(Lake.open(), load_config().config, discover(), key, page)
    try:
        output.write_bytes(drawn.png())
    except OSError as error:
        raise RequestInvalid(f"{output.name} cannot be written: {error.strerror}", param="output") from None
    if as_json or not sys.stdout.isatty():
        found = {"image": str(output), "boxed": list(drawn.boxed), "unboxed": drawn.unboxed}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    without = "".join(f", {count} without a box: {reason}" for reason, count in drawn.unboxed.items())
    click.echo(f"{output}: {len(drawn.boxed)} chunks drawn{without}")
