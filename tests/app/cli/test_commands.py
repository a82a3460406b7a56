"""The command line: JSON in a pipe, exit status by error class, help without heavy imports."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from indx_core.app.cli.main import main
from indx_core.contracts import errors


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("first page\fsecond page\n", encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        main(list(arguments))
        status = 0
    except SystemExit as left:
        status = int(left.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_plan_prints_the_whole_contract_as_json_in_a_pipe(capsys, note: Path) -> None:
    status, out, _err = run(capsys, "plan", str(note))
    result = json.loads(out)
    assert status == 0
    assert result["plan"]["page_count"] == 2
    assert result["plan"]["document"]["capability_ids"] == ["text-extraction", "manual-review"]


def test_a_plan_saved_by_one_command_is_executed_by_the_other(capsys, note: Path, tmp_path: Path) -> None:
    _status, out, _err = run(capsys, "plan", str(note))
    saved = tmp_path / "plan.json"
    saved.write_text(out, encoding="utf-8")
    status, out, _err = run(capsys, "encode", str(note), "--plan", str(saved))
    assert status == 0
    assert json.loads(out)["plan"]["plan_id"] == json.loads(saved.read_text())["plan"]["plan_id"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--space", "default-text"), "--space"),
        (("--signatures", "--constraints", '{"minimum_quality": 0.9}'), "--constraints, --signatures"),
    ],
)
def test_an_option_that_a_saved_plan_decides_otherwise_is_a_usage_error(
    capsys, note: Path, tmp_path: Path, options: tuple[str, ...], named: str
) -> None:
    _status, out, _err = run(capsys, "plan", str(note))
    saved = tmp_path / "plan.json"
    saved.write_text(out)
    status, out, err = run(capsys, "encode", str(note), "--plan", str(saved), *options)
    assert (status, out) == (2, "")
    assert f"leave out {named}, or" in err


def test_a_changed_source_under_a_saved_plan_is_a_conflict_with_its_exit_status(capsys, note, tmp_path) -> None:
    _status, out, _err = run(capsys, "plan", str(note))
    saved = tmp_path / "plan.json"
    saved.write_text(out, encoding="utf-8")
    note.write_text("something else", encoding="utf-8")
    status, out, err = run(capsys, "encode", str(note), "--plan", str(saved))
    assert (status, out) == (4, "")
    assert json.loads(err)["error"]["code"] == "plan_conflict"


def test_encode_carries_the_callers_metadata(capsys, note: Path) -> None:
    _status, out, _err = run(capsys, "encode", str(note), "--metadata", '{"tenant": "acme"}')
    document = next(block for block in json.loads(out)["blocks"] if block["id"] == "document")
    assert document["metadata"]["tenant"] == "acme"


def test_extractors_by_language_run_over_the_pages_of_that_language(capsys, tmp_path: Path) -> None:
    pytest.importorskip("lingua")
    path = tmp_path / "mixed.txt"
    path.write_text(
        "契約の期日は2026年3月31日です。よろしくお願いいたします。\fThe contract is due on 2026-03-31, as agreed.\n"
    )
    status, out, _err = run(capsys, "encode", str(path), "--extractor-for", "ja=patterns")
    document = next(block for block in json.loads(out)["blocks"] if block["id"] == "document")
    assert status == 0
    assert list(document["metadata"]["entities"]["by_block"]) == ["page:1"]


def test_embed_places_a_query_in_the_default_space(capsys) -> None:
    _status, out, _err = run(capsys, "embed", "annual recurring revenue")
    assert len(json.loads(out)["vector"]) == 256


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("plan", "ftp://example.org/x"), 3, "unsupported_source"),
        (("plan", "/no/such/file"), 3, "source_unreadable"),
        (("embed", "x", "--space", "nowhere"), 2, "unknown_embedding_space"),
        (("encode", "/no/such/file", "--metadata", "{"), 2, "validation_error"),
        (("encode", "/no/such/file", "--metadata", '{"entities": 1}'), 2, "validation_error"),
        (("plan", "/no/such/file", "--constraints", '{"minimum_quality": 7}'), 2, "validation_error"),
        (("plan", "/no/such/file", "--constraints", "[" * 50_000), 2, "validation_error"),
        (("encode", "/no/such/file", "--metadata", '{"a": "\\ud800"}'), 2, "validation_error"),
        (("encode", "/no/such/file", "--extractor-for", "ja"), 2, "validation_error"),
        (("encode", "/no/such/file", "--extractor-for", "xx=patterns"), 2, "unknown_language"),
        (("encode", "/no/such/file", "--extractor-for", "ja=nobody"), 2, "unknown_extractor"),
        (("embed", ""), 2, "validation_error"),
        (("search", ""), 2, "validation_error"),
        (("sql", " ; "), 2, "validation_error"),
    ],
)
def test_every_refusal_is_the_typed_envelope_on_stderr_and_its_own_exit_status(capsys, arguments, status, code) -> None:
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (status, "")
    assert json.loads(err)["error"]["code"] == code


def _error_classes(base: type[errors.IndxError]) -> Iterator[type[errors.IndxError]]:
    for cls in base.__subclasses__():
        if cls.__module__ == errors.__name__:
            yield cls
            yield from _error_classes(cls)


@pytest.mark.parametrize("error", list(_error_classes(errors.IndxError)), ids=lambda cls: cls.__name__)
def test_an_error_leaves_with_the_status_of_its_class(capsys, monkeypatch, note: Path, error) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error("it happened", param="source")

    monkeypatch.setattr("indx_core.app.facade.plan", refuse)
    status, out, err = run(capsys, "plan", str(note))
    assert (status, out) == (error.exit_code, "")
    assert 1 <= status <= 8
    told = json.loads(err)["error"]
    assert (told["type"], told.get("code"), told["message"]) == (error.type, error.code, "it happened")


def test_a_plan_file_that_is_no_json_is_refused(capsys, note: Path, tmp_path: Path) -> None:
    broken = tmp_path / "plan.json"
    broken.write_bytes(b"\xff\xfe\x00")
    found, out, err = run(capsys, "encode", str(note), "--plan", str(broken))
    assert (found, out, json.loads(err)["error"]["param"]) == (2, "", "plan")


def test_an_error_nobody_typed_shows_no_traceback_unless_asked(capsys, monkeypatch, note: Path) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("indx_core.app.facade.plan", explode)
    found, out, err = run(capsys, "plan", str(note))
    assert (found, out) == (1, "")
    assert json.loads(err)["error"]["type"] == "internal_error"
    assert "secret" not in err
    monkeypatch.setenv("INDX_DEBUG", "1")
    assert "Traceback" in run(capsys, "plan", str(note))[2]


def test_help_imports_neither_pydantic_nor_numpy_nor_dagster() -> None:
    """`indx --help` answers in a fraction of a second because of it."""
    script = (
        "import sys\n"
        "from indx_core.app.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'pydantic', 'numpy', 'pyarrow', 'duckdb', 'dagster', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
    assert "ingest" in done.stdout or "sql" in done.stdout


def test_planning_a_text_imports_no_engine() -> None:
    script = (
        "import sys, tempfile, pathlib\n"
        "from indx_core.app.cli import main\n"
        "path = pathlib.Path(tempfile.mkdtemp()) / 'a.txt'\n"
        "path.write_text('hello')\n"
        "try:\n    main(['plan', str(path)])\nexcept SystemExit:\n    pass\n"
        "heavy = {'onnxruntime', 'rapidocr', 'litellm', 'dagster', 'pyarrow', 'duckdb', 'cv2', 'lingua', 'fastembed'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")
