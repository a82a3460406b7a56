"""No secret is in anything that is written: lake, archives, Dagster's storage, what its UI shows, output of commands.

Every secret setting, the vendors' own variables and a proxy's password hold a canary; models are named at an address
that refuses, so that errors of every client are written too. One document is read, one is damaged, one needs a model.
"""

import io
import json
import os
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from canaries import CANARY, planted, vendors
from dagster._core.remote_representation.external_data import RepositorySnap
from dagster_shared.serdes import serialize_value
from PIL import Image

from indx_core.app.cli.main import main
from indx_core.kit.settings import overriding
from indx_dagster.definitions import defs

TOML = """
[corpora.mine]
root = "documents"
[ingest]
languages = false
embedding_spaces = ["default-text", "hosted-text"]
[ingest.classification]
document_ids = ["llm"]
[ingest.enrichment]
document_ids = ["enrich-llm"]
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Everything that one ingestion wrote, printed or logged, and what the UI is served, by where.

    In this very process: it has imported Dagster and the vendors' clients for other tests already, and what workers
    write is looked through where the service is tested.
    """
    folder = tmp_path_factory.mktemp("canaries")
    (folder / "documents").mkdir()
    (folder / "documents" / "note.txt").write_text("解約の通知", encoding="utf-8")
    (folder / "documents" / "damaged.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    Image.new("RGB", (60, 60), "white").save(folder / "documents" / "scan.png")
    (folder / "indx.toml").write_text(TOML, encoding="utf-8")
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(printed):
        secrets = {**planted(), **vendors()}
        own = {"DAGSTER_HOME": str(folder / "home"), "INDX_WORKERS": "0", "NO_PROXY": "", "no_proxy": ""}
        for name in [name for name in os.environ if name.startswith(("INDX_", "DAGSTER_"))]:
            patch.delenv(name)
        for name, value in {**secrets, **own}.items():
            patch.setenv(name, value)
        patch.chdir(folder)
        with pytest.raises(SystemExit):
            main(["ingest"])
        shown = serialize_value(RepositorySnap.from_def(defs().get_repository_def()))
    found = {"what the command prints": printed.getvalue().encode(), "what the UI is served": shown.encode()}
    for file in (each for each in folder.rglob("*") if each.is_file() and "documents" not in each.parts):
        found[str(file.relative_to(folder))] = _readable(file)
    return found


def _readable(file: Path) -> bytes:
    """Bytes of a file, decompressed where it is Parquet or an archive."""
    data = file.read_bytes()
    if file.suffix == ".parquet":
        return str(pq.read_table(io.BytesIO(data)).to_pylist()).encode()
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return b"".join(packed.read(name) for name in packed.namelist())
    return data


def test_no_secret_is_written_by_an_ingestion(written: dict[str, bytes]) -> None:
    assert {where for where, data in written.items() if CANARY.encode() in data} == set()


def test_what_was_looked_through_is_what_is_written(written: dict[str, bytes]) -> None:
    """The search above would find nothing in an empty folder either."""
    everything = b"".join(written.values())
    assert any(where.startswith("lake/pages/") and where.endswith(".parquet") for where in written)
    assert any(where.startswith("home/") and b"ASSET_MATERIALIZATION" in data for where, data in written.items())
    assert "解約の通知".encode() in everything
    assert b"EmbeddersResource" in written["what the UI is served"]
    assert b"vlm_api_base" in written["what the UI is served"]
    assert b"capability_unavailable" in everything, "no client was asked, so no error of one was looked through"


@pytest.mark.parametrize(
    "uri",
    [
        f"http://user:{CANARY}@127.0.0.1:1/x",
        f"http://127.0.0.1:1/x?sig={CANARY}",
        f"https://{CANARY}.invalid@127.0.0.1/x",
        f"ftp://user:{CANARY}@example.org/x",
        f"s3://bucket/{'x' * 3}?X-Amz-Signature={CANARY}",
        f"file://{CANARY}@host/etc/passwd",
        f"data:text/plain;base64,{CANARY}!",
    ],
)
def test_a_refused_address_is_not_repeated(uri: str, capsys: pytest.CaptureFixture[str]) -> None:
    variables = {"INDX_URI_SCHEMES": "file,http,https,data", "INDX_LOADER_HTTP_RETRIES": "0"}
    with overriding(variables), pytest.raises(SystemExit) as left:
        main(["plan", uri])
    assert left.value.code
    assert CANARY not in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["a\r\nSet-Cookie: x.txt", "a\x1b[31m.txt", "a\u2028b.txt"])
def test_a_file_name_starts_no_line_and_moves_no_cursor(tmp_path: Path, name: str, capsys) -> None:
    """Names are a person's who put the file there. JSON escapes them; so do errors in a pipe."""
    path = tmp_path / name
    path.write_text("note", encoding="utf-8")
    main(["encode", str(path)])
    path.unlink()
    with pytest.raises(SystemExit):
        main(["encode", str(path)])
    out, err = capsys.readouterr()
    assert json.loads(out)["blocks"]
    assert json.loads(err)["error"]["code"] == "source_unreadable"
    assert not set(out + err) & {"\r", "\x1b"}
    assert len(err.splitlines()) == 1
