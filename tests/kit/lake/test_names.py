"""Object names: injective, reversible, and accepted by every store."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indx_core.kit.lake.names import SEGMENT_BYTES, object_name, partition_of

# Characters that a store, a file system or the naming itself treats specially, beside anything else.
KEYS = st.text(
    st.one_of(st.sampled_from("/.%~-_ #?*:\\[]{}^|あ鉄éa.parquet\x00\x7f\ud800"), st.characters()), max_size=200
)


@pytest.mark.parametrize(
    ("partition", "name"),
    [
        ("filings/2026/決算短信 第1四半期.pdf", "chunks/filings/2026/決算短信 第1四半期.pdf.parquet"),
        ("c/a#b?.pdf", "chunks/c/a%23b%3F.pdf.parquet"),
        ("c/a%2Cb.pdf", "chunks/c/a%252Cb.pdf.parquet"),
        ("c/year=2026/a.csv", "chunks/c/year=2026/a.csv.parquet"),
        ("c/.git/_config", "chunks/c/%2Egit/%5Fconfig.parquet"),
        ("c/../a", "chunks/c/%2E%2E/a.parquet"),
        ("c//a/", "chunks/c/%-/a/%-.parquet"),
        ("a.parquet/b", "chunks/a%2Eparquet/b.parquet"),
        ("shard-0017", "chunks/shard-0017.parquet"),
    ],
)
def test_a_name_keeps_what_every_store_accepts_and_escapes_the_rest(partition: str, name: str) -> None:
    assert object_name("chunks", partition) == name
    assert partition_of("chunks", name) == partition


@given(KEYS)
@example("")
@example("a/" * 90)
@example("#" * 180)
@example("鉄" * 60 + "~0123456789ab")
@example("a" * 238 + "#.b")
def test_every_key_comes_back_from_its_name(key: str) -> None:
    """Reversible, and therefore injective: two keys never share an object."""
    name = object_name("chunks", key)
    assert partition_of("chunks", name) == key


@given(KEYS)
def test_every_piece_of_a_name_fits_a_file_system(key: str) -> None:
    for piece in object_name("vectors/a/b", key).split("/"):
        assert 0 < len(piece.encode()) <= SEGMENT_BYTES + len(".parquet")
        assert piece not in {".", ".."}
        assert piece[0] not in "._"
        assert not any(character < " " for character in piece)


@given(KEYS, KEYS)
def test_no_object_is_a_folder_of_another(one: str, other: str) -> None:
    """On a file system ``a.parquet`` cannot be both the object of ``a`` and the folder of ``a.parquet/b``."""
    assert not object_name("chunks", one).startswith(object_name("chunks", other) + "/")


@pytest.mark.parametrize(
    "name", ["chunks/a.txt", "pages/a.parquet", "chunks/.write-1-2", "chunks/a#b.parquet", "chunks/~.parquet"]
)
def test_an_object_that_is_none_of_ours_has_no_partition(name: str) -> None:
    assert partition_of("chunks", name) is None
