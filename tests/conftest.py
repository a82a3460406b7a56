"""Fixtures every suite shares: where the real files are, and an environment without INDX_* of the developer's own."""

import logging
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Before any test imports Dagster: nothing a test starts may reach out.
os.environ["DAGSTER_DISABLE_TELEMETRY"] = "1"

# A shell's background job starts with SIGINT ignored, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


def corpus_root() -> Path:
    """The corpus of real files beside the checkout; absent in a user's clone."""
    return Path(os.environ.get("INDX_TEST_CORPUS", ROOT.parent / "shared" / "corpus"))


@pytest.fixture(scope="session")
def shared_corpus() -> Path:
    """The corpus of real files; skips where it is absent, and fails instead where CI says that it must be there."""
    root = corpus_root()
    if root.is_dir():
        return root
    if os.environ.get("INDX_REQUIRE_CORPUS"):
        pytest.fail(f"the corpus of real files must be present here and is not at {root}")
    pytest.skip("the corpus of real files is not part of the repository; set INDX_TEST_CORPUS to its folder")


@pytest.fixture(autouse=True)
def _clean_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see the defaults: no INDX_* variable of the shell reaches them."""
    for name in [name for name in os.environ if name.startswith("INDX_") and not name.startswith("INDX_TEST_")]:
        if name not in {"INDX_REQUIRE_CORPUS", "INDX_REGENERATE_GOLDEN"}:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _no_instance_of_an_earlier_test() -> Iterator[None]:
    """Dagster asks the instance that was entered last; one that was entered twice is not forgotten when it is left."""
    yield
    if storage := sys.modules.get("dagster._core.storage.defs_state.base"):
        storage._current_storage.set(None)


@pytest.fixture
def own_loggers() -> Iterator[None]:
    """Our loggers as they were before, afterwards."""
    from indx_core.kit.logs.lines import OWN

    loggers = [logging.getLogger(name) for name in OWN]
    before = [(logger.handlers[:], logger.level, logger.propagate) for logger in loggers]
    yield
    for logger, (handlers, level, propagate) in zip(loggers, before, strict=True):
        logger.handlers[:], logger.propagate = handlers, propagate
        logger.setLevel(level)
