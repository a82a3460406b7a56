"""Source keys: readable, safe for Dagster and file systems, never colliding, decodable."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.kit.keys import MAX_BYTES, key_path, shard_name, shard_of, source_key, told_apart

paths = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60)


def test_japanese_names_stay_readable() -> None:
    assert source_key("filings", "2025/報告書 A.pdf", "file:///x") == "filings/2025/報告書 A.pdf"


@pytest.mark.parametrize("refused", [",", "...", "%", ":", "\n", "\x00", "\\"])
def test_what_dagster_or_a_file_system_refuses_is_escaped(refused: str) -> None:
    """A comma breaks `dagster job backfill --partitions`; dots and control characters are refused as keys."""
    key = source_key("c", f"a{refused}b", "file:///x")
    assert refused.strip("%") == "" or refused not in key
    assert key_path(key) == ("c", f"a{refused}b")


def test_a_long_key_is_cut_and_told_apart_by_its_uri() -> None:
    long = "深い/" * 100 + "file.pdf"
    first, second = source_key("c", long, "s3://b/1"), source_key("c", long, "s3://b/2")
    assert first != second
    assert re.search(r"~[0-9a-f]{12}$", first)
    assert max(len(first.encode()), len(second.encode())) <= MAX_BYTES
    assert key_path(first) is None


def test_two_corpora_never_share_a_key() -> None:
    assert source_key("a", "x.pdf", "u") != source_key("b", "x.pdf", "u")


@given(paths)
def test_a_key_decodes_to_the_normalised_path_unless_it_was_cut(path: str) -> None:
    key = source_key("corpus", path, "file:///x")
    found = key_path(key)
    assert len(key.encode()) <= MAX_BYTES
    assert found is None or found == ("corpus", unicodedata.normalize("NFC", path))


@given(paths)
def test_a_key_holds_nothing_that_a_partition_may_not(path: str) -> None:
    key = source_key("corpus", path, "file:///x")
    assert "..." not in key
    assert not re.search(r"[\x00-\x1f\x7f,:\\]", key)


def test_told_apart_is_stable() -> None:
    assert told_apart("c/x", "s3://b/x") == told_apart("c/x", "s3://b/x")


def test_a_bucket_is_the_same_on_every_machine_and_in_every_release() -> None:
    """Changing the hash would move every document of every corpus to another partition."""
    assert [shard_of(key, 1024) for key in ("filings/a.pdf", "filings/b.pdf")] == [490, 845]
    assert shard_name(490) == "shard-00490"
