"""Many writers at once: processes that write the same and different documents, and a reader that looks meanwhile."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

TESTS = Path(__file__).resolve().parents[2]
WRITER = TESTS / "kit" / "lake" / "lake_writer.py"
COUNT = 25
ROWS = 40


def test_two_processes_write_at_once_and_a_reader_never_sees_half_of_a_write(tmp_path: Path) -> None:
    _write_at_once({"INDX_LAKE": str(tmp_path / "lake")})


@pytest.mark.slow
@pytest.mark.services
def test_two_processes_write_to_a_bucket_at_once(lake_address: str) -> None:
    _write_at_once({"INDX_LAKE": lake_address})


def _write_at_once(variables: dict[str, str]) -> None:
    with overriding(variables):
        lake = Lake.open()
    writers = [_start(name, variables) for name in ("a", "b")]
    seen: set[str] = set()
    while any(writer.poll() is None for writer in writers):
        seen |= _shared(lake)
    assert [writer.communicate()[1].decode() for writer in writers] == ["", ""]
    assert [writer.returncode for writer in writers] == [0, 0]
    own = {f"c/{name}-{number}" for name in "ab" for number in range(COUNT)}
    assert set(lake.partitions("chunks")) == {*own, "c/shared"}
    last = _shared(lake)
    assert last <= {f"a-{COUNT - 1}", f"b-{COUNT - 1}"}
    assert len(seen | last) > 1, "the reader came too late to see anything replaced"
    assert lake.dataset("chunks").count_rows() == 2 * COUNT + ROWS


def _shared(lake: Lake) -> set[str]:
    """The text of the shared document; every row has the same one, and every row is there."""
    table = lake.read("chunks", "c/shared")
    if table is None:
        return set()
    texts = table["text"].to_pylist()
    assert len(texts) == ROWS
    assert len(set(texts)) == 1, texts
    return set(texts)


def _start(name: str, variables: dict[str, str]) -> "subprocess.Popen[bytes]":
    path = os.pathsep.join([str(TESTS.parent), str(TESTS)])
    return subprocess.Popen(
        [sys.executable, str(WRITER), name, str(COUNT)],
        env={**os.environ, **variables, "PYTHONPATH": path},
        stderr=subprocess.PIPE,
    )
