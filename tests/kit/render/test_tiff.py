"""The chain of directories of a TIFF file, whole and broken."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiff_files import Image, tiff

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.render.tiff import is_tiff, single_page, tiff_pages


def codes(data: bytes) -> list[str]:
    return [finding.code for finding in tiff_pages(data).findings]


@pytest.mark.parametrize("order", ["<", ">"])
def test_every_full_image_of_the_chain_is_a_page(order: str):
    assert len(tiff_pages(tiff([Image()] * 3, order=order)).offsets) == 3


def test_a_thumbnail_is_no_page():
    """Scanners write one after each page; counted, every second page of a plan would be a copy."""
    images = [Image(), Image(reduced=True), Image(), Image(reduced=True)]
    plain = tiff_pages(tiff(images)).offsets
    assert len(plain) == 2


def test_a_file_of_nothing_but_thumbnails_still_has_a_page():
    found = tiff_pages(tiff([Image(reduced=True)] * 2))
    assert len(found.offsets) == 1
    assert [finding.code for finding in found.findings] == ["tiff_only_thumbnails"]


@pytest.mark.parametrize("target", [1, 2])
def test_a_chain_that_returns_ends_there(target: int):
    data = tiff([Image()] * 3, last_points_to=target)
    assert len(tiff_pages(data).offsets) == 3
    assert codes(data) == ["tiff_ifd_loop"]


def test_a_chain_that_leaves_the_file_ends_there():
    data = tiff([Image()] * 2)
    broken = data[:-4] + struct.pack("<I", 10**9)
    assert len(tiff_pages(broken).offsets) == 2
    assert codes(broken) == ["tiff_ifd_invalid"]


def test_a_directory_that_is_cut_off_is_a_page_all_the_same():
    """The chain states it; whoever decodes it says why it cannot be read. Left out, it would vanish."""
    data = tiff([Image()] * 2)[:-30]
    assert len(tiff_pages(data).offsets) == 2
    assert codes(data) == ["tiff_ifd_truncated"]


def test_bigtiff_is_refused_by_name_with_the_way_out():
    big = b"II" + struct.pack("<HHHQ", 43, 8, 0, 16) + bytes(64)
    assert is_tiff(big)
    with pytest.raises(SourceUnreadable, match="BigTIFF") as refused:
        tiff_pages(big)
    assert "classic TIFF" in refused.value.remedy


@pytest.mark.parametrize("data", [b"", b"II", b"II*\0", b"II*\0\0\0\0\0", b"MM\0*\0\0\0\x08", b"II*\0\xff\xff\xff\xff"])
def test_a_header_without_a_directory_is_refused(data: bytes):
    with pytest.raises(SourceUnreadable):
        tiff_pages(data)


def test_an_endless_chain_is_refused():
    """Half a megabyte of directories of one entry each, more than libtiff itself would follow."""
    step = 2 + 12 + 4
    chain = b"".join(struct.pack("<HHHIII", 1, 256, 4, 1, 1, 8 + step * (i + 1)) for i in range(65_536))
    with pytest.raises(SourceUnreadable, match="65535"):
        tiff_pages(b"II*\0\x08\0\0\0" + chain)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_end_in_pages_or_in_a_typed_refusal(tail: bytes):
    try:
        found = tiff_pages(b"II*\0" + tail)
    except SourceUnreadable:
        return
    assert found.offsets


def test_a_single_page_is_the_file_with_another_first_directory():
    data = tiff([Image(), Image()])
    second = tiff_pages(data).offsets[1]
    assert tiff_pages(single_page(data, second)).offsets == (second,)
