"""`indx doctor`: what is missing has a remedy, what is configured and cannot work is a problem, no secret is shown."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from indx_dagster_commands import connections, indx

from indx_core.app.cli.commands.doctor import readable
from indx_core.app.cli.main import main
from indx_core.app.doctor import extras, places
from indx_core.app.doctor.examine import examine
from indx_core.app.doctor.report import Check, Report, Status
from indx_core.contracts.tables import TABLES
from indx_core.kit import blot
from indx_core.kit.settings import overriding

CANARY = "canary-51c0ffee"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A folder of its own with a valid ``indx.toml``; secrets are looked up anew."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path / "home"))
    (tmp_path / "documents").mkdir()
    (tmp_path / "indx.toml").write_text('shards = 8\n[corpora.mine]\nroot = "documents"\n')
    blot._secrets.cache_clear()
    yield
    blot._secrets.cache_clear()


def problems(report: Report) -> list[Check]:
    return [check for check in report.checks if check.status is Status.PROBLEM]


def named(report: Report, area: str, name: str) -> Check:
    return next(check for check in report.checks if (check.area, check.name) == (area, name))


def test_a_fresh_installation_is_healthy_and_nothing_is_made(tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    report = examine()
    assert (report.healthy, problems(report)) == (True, [])
    assert sorted(tmp_path.rglob("*")) == before
    assert {"extras", "engines", "indx.toml", "lake", "fonts", "dagster"} <= {check.area for check in report.checks}
    assert readable(report).endswith("everything configured can work")


@pytest.mark.parametrize(
    ("variables", "area", "name"),
    [
        ({"INDX_PDF_MIN_CHARACTERS": "many", "INDX_WORKERS": "-1"}, "settings", "WorkerSettings"),
        ({"INDX_NER_VIBRATO_DICTIONARY": "/no/such/dictionary"}, "engines", "vibrato"),
        ({"INDX_LANGUAGE_CANDIDATES": "klingon"}, "settings", "LanguageSettings"),
        ({"INDX_LAKE": "documents/file.txt"}, "lake", "INDX_LAKE"),
        ({"INDX_LAKE": "ftp://nowhere"}, "lake", "INDX_LAKE"),
        ({"INDX_CONFIG": "absent.toml"}, "indx.toml", "indx.toml"),
        ({"INDX_CONFIG": "other.toml"}, "indx.toml", "gone"),
        ({"INDX_CONFIG": "unknown.toml"}, "indx.toml", "mine: ingest"),
    ],
)
def test_what_is_configured_and_cannot_work_is_a_problem_with_a_remedy(
    tmp_path: Path, variables: dict[str, str], area: str, name: str
) -> None:
    (tmp_path / "documents" / "file.txt").write_text("a file where the lake should be")
    (tmp_path / "other.toml").write_text('[corpora.gone]\nroot = "no/such/folder"\n')
    (tmp_path / "unknown.toml").write_text(
        '[corpora.mine]\nroot = "documents"\n[ingest]\nembedding_spaces = ["nowhere"]\n'
    )
    with overriding(variables):
        report = examine()
    check = named(report, area, name)
    assert (report.healthy, check.status) == (False, Status.PROBLEM)
    assert check.remedy
    assert "problem" in readable(report)


def test_a_lake_of_a_later_release_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    versions = {name: table.version for name, table in TABLES.items()}
    (tmp_path / "lake" / "schema.json").write_text(json.dumps({"tables": {**versions, "chunks": 99}}))
    assert named(examine(), "lake", "schema").status is Status.PROBLEM


def test_a_misspelt_variable_is_named_with_the_one_it_resembles() -> None:
    with overriding({"INDX_OCR_DPPI": "200"}):
        report = examine()
    check = named(report, "settings", "INDX_OCR_DPPI")
    assert (check.status, check.remedy, report.healthy) == (Status.WARNING, "did you mean INDX_OCR_DPI?", True)


def test_every_variable_says_where_its_value_comes_from() -> None:
    with overriding({"INDX_WORKERS": "3"}):
        found = {each.name: (each.origin.value, each.value) for each in examine().settings}
    assert found["INDX_WORKERS"] == ("environment", "3")
    assert found["INDX_SHARDS"] == ("indx.toml", "8")
    assert found["INDX_LAKE"] == ("default", "./lake")


def test_an_extra_that_is_not_installed_comes_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "_installed", lambda name: name != "rapidocr")
    check = next(check for check in extras.extra_checks() if check.name == "ocr")
    assert (check.status, check.detail) == (Status.ABSENT, "lacks rapidocr")
    assert check.remedy.startswith("pip install ")
    assert "[ocr]'" in check.remedy


def test_without_a_japanese_font_the_package_that_brings_one_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(places, "FONT_FOLDERS", (str(tmp_path),))
    assert [check.remedy for check in places.font_checks()] == ["apt install fonts-ipafont"]
    (tmp_path / "TakaoPGothic.ttf").touch()
    assert [check.status for check in places.font_checks()] == [Status.OK]


def test_no_secret_is_shown_in_either_form(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    """As the value of a secret, inside an address, and as the value of a variable that does not validate."""
    planted = {
        "INDX_VLM_API_KEY": CANARY,
        "INDX_LAKE_SECRET_ACCESS_KEY": CANARY,
        "INDX_VLM_API_BASE": f"http://user:{CANARY}@127.0.0.1:1/v1?sig={CANARY}",
        "INDX_LAKE": f"s3://user:{CANARY}@bucket/prefix?token={CANARY}",
        "INDX_WORKERS": CANARY,
        "INDX_UNKNOWN": CANARY,
    }
    with overriding(planted):
        report = examine()
        with pytest.raises(SystemExit) as left:
            main(["doctor", "--json"])
    out, err = capsys.readouterr()
    assert left.value.code == 8
    assert json.loads(out)["healthy"] is False
    assert {each.value for each in report.settings if each.name == "INDX_VLM_API_KEY"} == {"***"}
    assert CANARY not in out + err + readable(report) + report.model_dump_json()


def test_no_connection_is_opened(tmp_path: Path) -> None:
    """Not for a bucket either, nor for a model that would have to be fetched."""
    bucket = {
        "INDX_LAKE": "s3://bucket/lake",
        "INDX_MODEL_DOWNLOADS": "true",
        "INDX_CONFIG": str(tmp_path / "indx.toml"),
    }
    status, out, _err = indx(tmp_path, "doctor", **bucket)
    assert (status, connections(tmp_path)) == (0, [])
    assert next(check for check in out["checks"] if check["name"] == "INDX_LAKE")["detail"].startswith("s3://bucket")


def test_dagster_is_looked_at_without_importing_it() -> None:
    script = (
        "import sys\nfrom indx_core.app.doctor.examine import examine\nexamine()\n"
        "print(sorted({'dagster', 'litellm', 'onnxruntime', 'rapidocr', 'fastembed'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
