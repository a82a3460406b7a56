"""Zip members under limits."""

import io
import struct
import zipfile

import pytest
from office_builder import archive

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.kit.ooxml.archive import Archive, PartDamaged
from indx_core.kit.ooxml.settings import PackageSettings


def limits(**values: int) -> PackageSettings:
    return PackageSettings(**values)


def test_a_member_that_unpacks_to_more_than_the_ratio_is_refused_before_it_is_unpacked() -> None:
    """The 300 MiB docx that took another reader 70 s and 2.8 GB is refused by its directory alone."""
    bomb = archive({"word/document.xml": b" " * 20_000_000}, zipfile.ZIP_DEFLATED)
    with pytest.raises(SourceUnreadable, match="zip bomb") as refused:
        Archive(bomb, limits())
    assert refused.value.details == {"limit": "ratio"}
    assert "INDX_OFFICE_MAX_INFLATE_RATIO" in refused.value.remedy


def test_a_small_member_may_have_any_ratio() -> None:
    """A style sheet of one repeated entry reaches 300 and harms nobody."""
    small = archive({"xl/styles.xml": b" " * 1_000_000}, zipfile.ZIP_DEFLATED)
    assert len(Archive(small, limits()).read("xl/styles.xml")) == 1_000_000


@pytest.mark.parametrize(
    ("setting", "limit"),
    [({"max_members": 2}, "members"), ({"max_part_bytes": 9}, "part"), ({"max_total_bytes": 25}, "total")],
)
def test_every_limit_names_itself(setting: dict[str, int], limit: str) -> None:
    three = archive(dict.fromkeys(("a", "b", "c"), b"0123456789"))
    with pytest.raises(SourceUnreadable) as refused:
        Archive(three, limits(**setting))
    assert refused.value.details == {"limit": limit}


def test_a_directory_that_lies_about_a_size_is_caught_while_unpacking() -> None:
    data = bytearray(archive({"a.xml": b"x" * 100_000}, zipfile.ZIP_DEFLATED))
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", 10)  # the declared size
    opened = Archive(bytes(data), limits(max_part_bytes=50))
    with pytest.raises(SourceUnreadable):
        opened.read("a.xml")


@pytest.mark.parametrize("name", ["../evil.xml", "word/../../evil.xml", "word\\..\\..\\evil.xml"])
def test_a_name_that_climbs_out_of_the_package_is_refused(name: str) -> None:
    with pytest.raises(SourceUnreadable, match="climbs"):
        Archive(archive({name: b"x"}), limits())


@pytest.mark.parametrize("name", ["word\\document.xml", "/word/document.xml", "WORD/Document.xml"])
def test_a_part_is_found_however_its_writer_spelt_it(name: str) -> None:
    assert Archive(archive({name: b"x"}), limits()).read("word/document.xml") == b"x"


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04 cut off", b"%PDF-1.7"])
def test_bytes_that_are_no_archive_are_unreadable(data: bytes) -> None:
    with pytest.raises(SourceUnreadable, match="no readable Office package"):
        Archive(data, limits())


def test_a_truncated_archive_is_unreadable() -> None:
    whole = archive({"word/document.xml": b"x" * 1000})
    with pytest.raises(SourceUnreadable):
        Archive(whole[:-60], limits())


def test_encrypted_members_ask_for_a_password() -> None:
    data = bytearray(archive({"a.xml": b"x"}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    with pytest.raises(SourceEncrypted):
        Archive(bytes(data), limits())


def test_a_member_with_a_bad_checksum_is_damaged_and_not_silently_wrong() -> None:
    data = bytearray(archive({"a.xml": b"hello", "b.xml": b"there"}))
    data[data.index(b"hello")] ^= 1
    opened = Archive(bytes(data), limits())
    with pytest.raises(PartDamaged, match="CRC"):
        opened.read("a.xml")
    assert opened.read("b.xml") == b"there"


def test_a_missing_member_is_damage_by_name() -> None:
    with pytest.raises(PartDamaged, match=r"no part word/none\.xml"):
        Archive(archive({"a": b""}), limits()).read("word/none.xml")


def test_folders_are_no_members() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        package.writestr("word/", b"")
        package.writestr("word/document.xml", b"x")
    assert Archive(target.getvalue(), limits()).names == ("word/document.xml",)


def test_a_package_that_lost_its_first_bytes_has_damaged_members() -> None:
    """The directory then points before the file, and zipfile seeks to a negative offset: one in eight mutated files."""
    data = archive({"a.xml": b"x" * 100, "b.xml": b"y"})
    shortened = Archive(data[10:], limits())
    with pytest.raises(PartDamaged, match=r"a\.xml does not unpack"):
        shortened.read("a.xml")


def test_a_member_without_a_name_is_no_part() -> None:
    """Its name begins with a NUL, at which zipfile ends names."""
    nameless = archive({"a.xml": b"x", "????": b"y"}).replace(b"????", b"\0???")
    assert Archive(nameless, limits()).names == ("a.xml",)
