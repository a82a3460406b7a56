"""A run's log lines: one for every document, with the ids that lead from a line to the run and back."""

import json
from pathlib import Path

import pytest
from dagster_corner import dagster_corner

from indx_core.contracts.ingest import Grain

pytestmark = pytest.mark.usefixtures("own_loggers")


def test_a_run_writes_a_line_for_every_document_with_its_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with dagster_corner(tmp_path, Grain.SOURCE, INDX_LOG="json") as corner:
        corner.write(a="first page\fsecond page", b=b"\x00\x01")
        capsys.readouterr()
        (result,) = corner.ingest()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    done, refused = [line for line in lines if line["message"] == "document"]
    assert {line["run_id"] for line in (done, refused)} == {result.run_id}
    assert (done["corpus"], done["key"], done["pages"]["completed"]) == ("corner", "corner/a.txt", 2)
    assert (refused["key"], refused["level"], refused["code"]) == ("corner/b.txt", "warning", "source_unreadable")
    assert (refused["failed_stage"], refused["cause"]) == ("observation", "permanent")
