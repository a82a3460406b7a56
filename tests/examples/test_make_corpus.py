"""The committed sample corpus is what its script makes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def make_corpus() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_corpus", EXAMPLES / "make_corpus.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not module.FONT_FILE.is_file():
        pytest.skip("the Debian package fonts-ipaexfont-gothic is not installed")
    return module


def test_the_script_makes_the_committed_bytes_again(make_corpus: ModuleType, tmp_path: Path) -> None:
    """A sample nobody can make again cannot be corrected either."""
    make_corpus.main(tmp_path)
    assert _files(tmp_path) == _files(EXAMPLES / "corpus")


def test_the_corpus_stays_small_enough_to_commit() -> None:
    assert sum(len(content) for content in _files(EXAMPLES / "corpus").values()) < 300_000


def _files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}
