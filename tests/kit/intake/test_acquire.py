"""From a source to bytes with a media type: limits, typed errors, and what is believed about the bytes."""

import pytest

from indx_core.contracts.errors import (
    InputTooLarge,
    SettingsInvalid,
    SourceEncrypted,
    SourceForbidden,
    SourceTemporarilyUnreadable,
    SourceUnreadable,
)
from indx_core.contracts.source import InlineSource, UriSource
from indx_core.kit.intake import acquire, open_document
from indx_core.kit.registry import Contribution, Registry
from indx_core.testing.fakes import FakeLoader, FakeObserver, fake_document, fake_registry

PAGE = fake_document("one")


def _registry(loader: FakeLoader | None = None, observer: FakeObserver | None = None) -> Registry:
    return fake_registry(
        Contribution(
            loaders=(loader or FakeLoader({"memory://a.txt": b"plain", "memory://a": PAGE}),),
            observers=(observer or FakeObserver(),),
        )
    )


def _inline(data: bytes, media_type: str | None = None, filename: str | None = None) -> str:
    return acquire(InlineSource(data=data, media_type=media_type, filename=filename), _registry()).media_type


def test_bytes_an_observer_recognises_are_believed_before_any_declaration() -> None:
    acquired = acquire(InlineSource(data=PAGE, media_type="application/pdf", filename="a.pdf"), _registry())
    assert (acquired.media_type, acquired.sniffer) == ("text/x-fake", "fake-observer")


@pytest.mark.parametrize(
    ("declared", "filename", "expected"),
    [
        ("text/csv", "a.txt", "text/csv"),
        ("Text/CSV; charset=Shift_JIS", None, "text/csv"),
        (None, "売上.CSV", "text/csv"),
        ("application/octet-stream", "a.tsv", "text/tab-separated-values"),
        ("binary/octet-stream", "a.eml", "message/rfc822"),
        ("", "a.tar.txt", "text/plain"),
        (None, "図面.dxf", "image/vnd.dxf"),
    ],
)
def test_unrecognised_bytes_are_what_was_declared_and_else_what_the_file_name_says(
    declared: str | None, filename: str | None, expected: str
) -> None:
    """An S3 object without a type arrives as an octet stream, which declares nothing."""
    assert _inline(b"plain", declared, filename) == expected


def test_a_declaration_that_was_believed_names_no_sniffer() -> None:
    assert acquire(InlineSource(data=b"plain", media_type="text/plain"), _registry()).sniffer is None


@pytest.mark.parametrize(("filename", "says"), [(None, "no file name"), ("README", "'README'"), ("a.zip", "'a.zip'")])
def test_bytes_that_nothing_names_are_refused_saying_what_was_tried(filename: str | None, says: str) -> None:
    with pytest.raises(SourceUnreadable, match=says) as refused:
        _inline(b"plain", None, filename)
    assert "no media type" in refused.value.message
    assert refused.value.param == "source"


def _ole(*names: str) -> bytes:
    """An OLE container with these names in its directory: a header sector and the directory sectors behind it."""
    entries = b""
    for name in names:
        encoded = name.encode("utf-16-le") + b"\0\0"
        entries += encoded.ljust(64, b"\0") + len(encoded).to_bytes(2, "little") + bytes(62)
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(512, b"\0") + entries


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"AC1032\0\0\0\0\0\0", "image/vnd.dwg"),
        (_ole("Root Entry", "WordDocument"), "application/msword"),
        (_ole("Root Entry", "Workbook"), "application/vnd.ms-excel"),
        (_ole("Root Entry", "Book"), "application/vnd.ms-excel"),
        (_ole("Root Entry", "PowerPoint Document"), "application/vnd.ms-powerpoint"),
        (_ole("Root Entry", "__properties_version1.0"), "application/vnd.ms-outlook"),
        (_ole("Root Entry", "Contents"), "application/x-ole-storage"),
    ],
)
def test_well_known_types_that_nothing_reads_are_named_whatever_was_declared(data: bytes, expected: str) -> None:
    assert _inline(data, "text/plain", "a.txt") == expected


def test_text_that_begins_like_a_drawing_is_text() -> None:
    assert _inline(b"AC1032 is the version of AutoCAD 2018", "text/plain") == "text/plain"


@pytest.mark.parametrize("name", ["EncryptedPackage", "ENCRYPTEDPACKAGE"])
def test_an_office_document_behind_a_password_says_so(name: str) -> None:
    """In whatever case: names of an OLE container are compared without it."""
    with pytest.raises(SourceEncrypted) as refused:
        _inline(_ole("Root Entry", "EncryptionInfo", name), None, "a.docx")
    assert refused.value.param == "source"


def test_an_old_word_document_that_mentions_an_encrypted_package_is_not_encrypted() -> None:
    """The name counts as a directory entry alone: 128-byte aligned and with its length beside it."""
    body = "EncryptedPackage".encode("utf-16-le") + b"\0\0"
    for shift in (0, 7):
        assert _inline(_ole("Root Entry", "WordDocument") + bytes(shift) + body) == "application/msword"


@pytest.mark.parametrize("lane", ["uri", "inline"])
def test_the_size_limit_counts_decoded_bytes_in_both_lanes(monkeypatch: pytest.MonkeyPatch, lane: str) -> None:
    source = UriSource(uri="memory://a") if lane == "uri" else InlineSource(data=PAGE)
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", str(len(PAGE)))
    assert acquire(source, _registry()).loaded.data == PAGE
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", str(len(PAGE) - 1))
    with pytest.raises(InputTooLarge) as refused:
        acquire(source, _registry())
    assert refused.value.param == ("source.uri.uri" if lane == "uri" else "source.inline.data")


def test_a_loader_that_forgets_the_limit_does_not_get_past_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Forgetful(FakeLoader):
        def load(self, uri, max_bytes):  # type: ignore[no-untyped-def]
            return super().load(uri, None)

    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "3")
    with pytest.raises(InputTooLarge):
        acquire(UriSource(uri="memory://a"), _registry(Forgetful({"memory://a": PAGE})))


@pytest.mark.parametrize(
    "error",
    [
        SourceForbidden("not there"),
        SourceTemporarilyUnreadable("throttled"),
        SourceUnreadable("gone"),
    ],
)
def test_a_typed_error_of_a_loader_arrives_as_it_is_and_says_where(error: Exception) -> None:
    with pytest.raises(type(error)) as raised:
        acquire(UriSource(uri="memory://a"), _registry(FakeLoader(error=error)))
    assert raised.value is error
    assert raised.value.param == "source.uri.uri"  # type: ignore[attr-defined]


def test_a_bad_setting_that_a_loader_meets_is_not_blamed_on_the_source() -> None:
    with pytest.raises(SettingsInvalid) as raised:
        acquire(UriSource(uri="memory://a"), _registry(FakeLoader(error=SettingsInvalid("INDX_X: no"))))
    assert raised.value.param is None


@pytest.mark.parametrize("error", [KeyError("secret-key"), OSError("/srv/private"), RecursionError("deep")])
def test_any_other_exception_of_a_loader_is_an_unreadable_source_without_its_text(error: Exception) -> None:
    with pytest.raises(SourceUnreadable) as raised:
        acquire(UriSource(uri="memory://a"), _registry(FakeLoader(error=error)))
    assert type(error).__name__ in raised.value.message
    assert str(error.args[0]) not in raised.value.message
    assert raised.value.__cause__ is error


def test_running_out_of_memory_is_not_the_sources_fault() -> None:
    with pytest.raises(MemoryError):
        acquire(UriSource(uri="memory://a"), _registry(FakeLoader(error=MemoryError())))


def test_an_observer_that_fails_to_sniff_is_a_typed_error_that_names_it() -> None:
    class Broken(FakeObserver):
        def sniff(self, data):  # type: ignore[no-untyped-def]
            raise IndexError(data)

    with pytest.raises(SourceUnreadable, match="fake-observer"):
        acquire(InlineSource(data=PAGE), _registry(observer=Broken()))


def test_an_opened_document_knows_its_type_and_name() -> None:
    registry = _registry()
    acquired = acquire(UriSource(uri="memory://a.txt"), registry)
    with open_document(acquired, registry) as document:
        assert (document.media_type, document.filename, document.data) == ("text/plain", "a.txt", b"plain")
