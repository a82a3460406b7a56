"""Addresses of objects: what names one object, and what is refused before anything is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.objectstore.address import ObjectAddress, object_address, object_uri, root_address


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("s3://bucket/a?versionId=3", "versionId"),
        ("s3://bucket/a?", "versionId"),
        ("s3://bucket?versionId=3", "versionId"),
        ("s3://bucket", "one object"),
        ("s3://bucket/", "one object"),
        ("s3://bucket/folder/", "one object"),
        ("s3://", "names no bucket"),
        ("s3:///a", "names no bucket"),
        ("s3://key:secret@bucket/a", "names no bucket"),
        ("s3://bucket:80/a", "names no bucket"),
        ("s3:bucket/a", "malformed"),
        ("s3:/bucket/a", "malformed"),
        ("s3://bucket/%FF", "UTF-8"),
        ("s3://bucket/a\ud800", "UTF-8"),
        ("s3://bucket//a", "cannot be asked for"),
        ("s3://bucket/a%0Ab", "cannot be asked for"),
        ("s3://bucket/%2e%2e/a", "cannot be asked for"),
        ("s3://bucket/a/..", "cannot be asked for"),
        ("s3://bucket/./a", "cannot be asked for"),
    ],
)
def test_an_address_that_names_no_one_object_is_refused(address: str, says: str) -> None:
    """A version that is named and dropped would be another document under that name."""
    with pytest.raises(SourceUnreadable, match=says) as refused:
        object_address(address)
    assert "secret" not in refused.value.message


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("S3://bucket/a", "a"),
        ("s3://bucket/a/b%20c", "a/b c"),
        ("s3://bucket/a b#c", "a b#c"),
        ("s3://bucket/100%.txt", "100%.txt"),
        ("s3://bucket/a%3FversionId=3", "a?versionId=3"),
        ("s3://bucket/報告.pdf", "報告.pdf"),
        ("s3://bucket/.../..a/a..", ".../..a/a.."),
    ],
)
def test_a_key_is_percent_encoded_or_as_typed(address: str, key: str) -> None:
    assert object_address(address) == ObjectAddress("bucket", key)


SEGMENT = st.text(
    st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="/"), min_size=1, max_size=8
).filter(lambda text: text not in {".", ".."})


@given(st.lists(SEGMENT, min_size=1, max_size=4).map("/".join))
def test_the_uri_of_an_object_names_that_object(key: str) -> None:
    address = ObjectAddress("a-bucket.1", key)
    assert object_address(object_uri("gs", address)) == address


@pytest.mark.parametrize(
    ("root", "folder"),
    [("az://c", ""), ("az://c/", ""), ("az://c/a", "a"), ("az://c/a/", "a"), ("az://c/a/%E3%81%82/", "a/あ")],
)
def test_a_root_is_a_bucket_or_a_folder(root: str, folder: str) -> None:
    assert root_address(root) == ObjectAddress("c", folder)


@pytest.mark.parametrize("root", ["az://c//", "az://c/a//", "az://c/../a", "az://c/a?x"])
def test_a_root_that_cannot_be_asked_for_is_refused(root: str) -> None:
    with pytest.raises(SourceUnreadable):
        root_address(root)
