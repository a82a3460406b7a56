"""Encoded words and parameters, as written by the standard and as written by mail programs."""

import pytest

from indx_core.formats.email.headers import decode_value, split_headers


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"=?utf-8?q?caf=C3=A9_au_lait?=", "café au lait"),
        (b"=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= (test)", "日本 (test)"),
        # One character split between two words: neighbours are joined before they are decoded.
        (b"=?UTF-8?B?5pc=?= =?UTF-8?B?pQ==?=", "日"),
        (b"=?utf-8?b?5pel?= =?shift_jis?b?lnuM6g==?=", "日本語"),
        (b"=?utf-8?q?a?= b =?utf-8?q?c?=", "a b c"),
        (b"=?X-UNKNOWN?B?VEVTVA==?=", "TEST"),
        (b"=?NONE?B?VEVTVA=?=", "TEST"),
        (b"=?utf-8*ja?q?a?=", "a"),
        (b"=?iso-8859-1?q?M\xfcller?=", "Müller"),
        (b'"=?utf-8?b?55Sw5Lit?=" <t@example.jp>', "田中 <t@example.jp>"),
        (b'"Doe, J." <j@example.com>', '"Doe, J." <j@example.com>'),
        (b'"Plain Name" <p@example.com>', "Plain Name <p@example.com>"),
        (b"undisclosed-recipients:;", "undisclosed-recipients:;"),
        ("件名そのまま".encode("cp932"), "件名そのまま"),
        ("件名".encode("iso2022_jp"), "件名"),
        (b"=?utf-8?b?!!!?=", ""),
        (b"=?utf-8?q?unclosed", "=?utf-8?q?unclosed"),
    ],
)
def test_a_header_value_reads_as_a_person_sees_it(raw: bytes, text: str) -> None:
    assert decode_value(raw, []) == text


@pytest.mark.parametrize(
    ("field", "name"),
    [
        (b'attachment; filename="a b.pdf"', "a b.pdf"),
        (b"attachment; filename=a.pdf; size=3", "a.pdf"),
        (b'attachment; filename="quo\\"te.pdf"', 'quo"te.pdf'),
        (b"attachment; filename*=UTF-8''%E8%A6%8B%E7%A9%8D.pdf", "見積.pdf"),
        (b"attachment; filename*0*=utf-8'ja'%E8%A6; filename*1*=%8B; filename*2=.pdf", "見.pdf"),
        (b"attachment; filename*1=b.pdf; filename*0=a", "ab.pdf"),
        (b'attachment; filename="=?utf-8?b?6KaL56mNLnBkZg==?="', "見積.pdf"),
        (b"attachment; filename*=X-UNKNOWN''abc.pdf", "abc.pdf"),
        (b"attachment; filename=\"fallback.pdf\"; filename*=utf-8''%E8%A6%8B.pdf", "見.pdf"),
        (b'attachment\n\tfilename="no semicolon.pdf"', "no semicolon.pdf"),
        (b'attachment; filename="never closed', "never closed"),
        (b"attachment", None),
    ],
)
def test_a_file_name_is_found_however_it_is_written(field: bytes, name: str | None) -> None:
    headers, _ = split_headers(b"Content-Disposition: " + field + b"\n\n", 0, 1000)
    assert headers.parameter("content-disposition", "filename", []) == name


def test_a_field_that_may_occur_once_counts_as_first_written() -> None:
    data = b"Subject: one\nSubject: two\nTo: a@b\nTo: c@d\n\n"
    headers, body = split_headers(data, 0, len(data))
    assert (headers.text("subject", []), headers.text("to", [])) == ("one", "a@b, c@d")
    assert body == len(data)


def test_a_body_without_its_separator_begins_at_the_first_line_that_is_no_field() -> None:
    data = b"Subject: x\nno field at all\n"
    assert split_headers(data, 0, len(data))[1] == len(b"Subject: x\n")
