"""data: URIs: what RFC 2397 says and browsers accept."""

import pytest

from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.loaders.data.loader import DataLoader
from indx_core.testing.conformance import check_loader

LOADER = DataLoader()


def test_the_data_loader_conforms() -> None:
    check_loader(LOADER, "data:text/csv;base64,MSwy", b"1,2", "data:no-comma")


@pytest.mark.parametrize(
    ("uri", "media_type", "data"),
    [
        ("data:,A%20brief%20note", "text/plain;charset=US-ASCII", b"A brief note"),
        ("data:;base64,QQ==", "text/plain;charset=US-ASCII", b"A"),
        ("data:;charset=utf-8,%E6%9B%B8", "text/plain;charset=utf-8", "書".encode()),
        ("data:text/plain;charset=Shift_JIS;base64,j5E=", "text/plain;charset=Shift_JIS", b"\x8f\x91"),
        ("data:text/csv,a,b,c", "text/csv", b"a,b,c"),
        ("data:text/csv;BASE64,MSwy", "text/csv", b"1,2"),
        ("data:application/pdf;base64,JVBE%0D%0A Rg", "application/pdf", b"%PDF"),
        ("data:,書", "text/plain;charset=US-ASCII", "書".encode()),
        ("data:,", "text/plain;charset=US-ASCII", b""),
    ],
)
def test_the_bytes_and_the_declared_type_are_those_of_the_address(uri: str, media_type: str, data: bytes) -> None:
    loaded = LOADER.load(uri, None)
    assert (loaded.declared_media_type, loaded.data, loaded.filename) == (media_type, data, None)


@pytest.mark.parametrize(
    "uri", ["data:", "data:text/plain", "data:;base64,A", "data:;base64,Ä===", "data:;base64,a-_b"]
)
def test_what_does_not_decode_is_refused(uri: str) -> None:
    with pytest.raises(SourceUnreadable):
        LOADER.load(uri, None)


def test_the_limit_counts_decoded_bytes() -> None:
    assert LOADER.load("data:;base64,QUJD", 3).data == b"ABC"
    with pytest.raises(InputTooLarge):
        LOADER.load("data:;base64,QUJDRA==", 3)
