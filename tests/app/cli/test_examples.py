"""Every command's help has an example, and every example runs, in a folder that holds what the examples speak of."""

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from knowledge.spaces import small_space
from signatures.process_chart.charts import CASES

from indx_core.app.cli.main import cli, main

EXAMPLE = re.compile(r"Example: (.+)")
TOML = """
[corpora.contracts]
root = "contracts"

[corpora.sample]
root = "sample"
[corpora.sample.ingest]
languages = false
[corpora.sample.ingest.constraints]
capability_ids = ["manual-review"]
"""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


COMMANDS = dict(commands(cli))


def example_of(path: tuple[str, ...]) -> list[str]:
    """Words of the example behind ``indx``; what it is piped into is another program's."""
    found = EXAMPLE.search(COMMANDS[path].help or "")
    assert found, f"the help of {' '.join(path)} has no example"
    words = shlex.split(found[1].replace(" | ", " '|' "))
    return words[1 : words.index("|") if "|" in words else None]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    from reportlab.pdfgen.canvas import Canvas

    place = tmp_path_factory.mktemp("examples")
    documents = {"report.pdf": 1, "sample/report.pdf": 1, "sample/fax.pdf": 2, "sample/invoice-with-scan.pdf": 1}
    for name, pages in documents.items():
        (place / name).parent.mkdir(exist_ok=True)
        canvas = Canvas(str(place / name), invariant=1)
        for page in range(pages):
            canvas.drawString(50, 700, f"{name}, page {page + 1}: annual recurring revenue")
            canvas.showPage()
        canvas.save()
    (place / "contracts").mkdir()
    (place / "contracts" / "notice.txt").write_text("解約の通知は三十日前までに書面で行う。", encoding="utf-8")
    (place / "line.pptx").write_bytes(CASES["impregnation-line"]())
    (place / "page2.txt").write_text("再生紙 3箱", encoding="utf-8")
    (place / "indx.toml").write_text(TOML, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("INDX_", "DAGSTER_"))]:
            patch.delenv(name)
        patch.setenv("DAGSTER_HOME", str(place / "home"))
        patch.setenv("INDX_WORKERS", "0")  # in this process: nine examples would start workers of their own
        patch.chdir(place)
        assert status("ingest") == 0
        for archive in ("march.indx", "april.indx", "lake/knowledge_space/sample/space.indx"):
            (place / archive).parent.mkdir(parents=True, exist_ok=True)
            small_space().save(place / archive)
        yield place


def status(*arguments: str) -> int:
    try:
        main(list(arguments))
    except SystemExit as left:
        return int(left.code or 0)
    return 0


@pytest.mark.parametrize("path", [path for path in COMMANDS if path != ("serve",)], ids=" ".join)
def test_the_example_of_a_command_runs(path: tuple[str, ...], folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = example_of(path)
    assert tuple(words[: len(path)]) == path
    assert status(*words) == 0
    if "-o" not in words:
        assert capfd.readouterr().out.strip()


def test_the_example_of_serving_is_understood() -> None:
    """That it serves, and stops, is tested where the server is."""
    words = example_of(("serve",))
    context = COMMANDS[("serve",)].make_context("serve", words[1:])
    assert context.params == {"host": None, "port": 8000, "allow_remote": False}
