"""Partitions that are added while another process adds them."""

from collections.abc import Sequence
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy.exc import IntegrityError

from assets.partitions import SOURCES, register


def test_keys_that_another_process_adds_at_the_same_moment_are_registered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite Dagster looks which keys there are, and then inserts: one that came in between is an error."""
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:
        add = instance.add_dynamic_partitions
        attempts: list[Sequence[str]] = []

        def beside_another(name: str, keys: Sequence[str]) -> None:
            attempts.append(keys)
            if len(attempts) == 1:
                add(name, keys[:1])
                raise IntegrityError("INSERT", None, Exception("UNIQUE constraint failed"))
            add(name, keys)

        monkeypatch.setattr(instance, "add_dynamic_partitions", beside_another)
        assert register(instance, ["c/a", "c/b"]) == ["c/a", "c/b"]
        assert sorted(instance.get_dynamic_partitions(SOURCES)) == ["c/a", "c/b"]


def test_an_error_that_stays_is_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with dg.DagsterInstance.local_temp(str(tmp_path)) as instance:

        def refuse(_name: str, _keys: Sequence[str]) -> None:
            raise IntegrityError("INSERT", None, Exception("the disk is of another opinion"))

        monkeypatch.setattr(instance, "add_dynamic_partitions", refuse)
        with pytest.raises(IntegrityError, match="another opinion"):
            register(instance, ["c/a"])
