"""``indx preview``."""

from pathlib import Path

import click

from indx_core.app.cli.output import counted, json_option, print_json, wants_json, writing


@click.command("preview")
@click.argument("key")
@click.argument("page", type=click.IntRange(min=1))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="PNG to write.")
@json_option
def command(key: str, page: int, output: Path, *, as_json: bool | None) -> None:
    """Draw PAGE of the ingested document KEY with the boxes of its chunks, each with its number.

    PDF pages and images can be drawn. Chunks without a box are counted, with the reason.

    Example: indx preview sample/invoice-with-scan.pdf 1 -o page.png
    """
    from indx_core.app.preview import preview
    from indx_core.kit.config import load_config
    from indx_core.kit.lake import Lake
    from indx_core.kit.registry import discover

    drawn = preview(Lake.open(), load_config().config, discover(), key, page)
    picture = drawn.png()
    with writing(output):
        output.write_bytes(picture)
    if wants_json(as_json=as_json):
        print_json({"image": str(output), "boxed": list(drawn.boxed), "unboxed": drawn.unboxed})
        return
    without = "".join(f", {count} without a box: {reason}" for reason, count in drawn.unboxed.items())
    click.echo(f"{output}: {counted(len(drawn.boxed), 'chunk')} drawn{without}")
