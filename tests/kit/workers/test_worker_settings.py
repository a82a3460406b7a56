"""The variables of the worker pool."""

import pytest

from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.settings import overriding
from indx_core.kit.workers.pool import WorkerPool
from indx_core.kit.workers.settings import WorkerSettings


def test_there_is_a_worker_for_every_usable_core_and_no_limit_is_off_by_default() -> None:
    found = WorkerSettings.load()
    assert found.workers >= 1
    assert min(found.worker_memory_bytes, found.document_timeout_seconds, found.page_timeout_seconds) > 0


def test_none_of_them_changes_an_output() -> None:
    assert WorkerSettings.stages == ()


@pytest.mark.parametrize("name", ["INDX_WORKERS", "INDX_WORKER_MEMORY_BYTES", "INDX_DOCUMENT_TIMEOUT_SECONDS"])
def test_a_negative_number_is_refused_by_the_name_of_its_variable(name: str) -> None:
    with overriding({name: "-1"}), pytest.raises(SettingsInvalid, match=name):
        WorkerSettings.load()


def test_a_configured_pool_takes_the_variables_in_force() -> None:
    with overriding({"INDX_WORKERS": "0"}), WorkerPool.configured(str) as pool:
        assert [outcome.value for outcome in pool.map_in_order([1, 2])] == ["1", "2"]
