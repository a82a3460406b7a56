"""What is recognised as mail, and what an observation states without parsing the body."""

import pytest

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.formats.email.observer import EmailObserver
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observer

MESSAGE = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\n\r\nbody\r\n"


def observe(data: bytes):
    return EmailObserver().observe(OpenDocument(data, "message/rfc822"))


def test_it_implements_the_port() -> None:
    assert isinstance(EmailObserver(), Observer)


@pytest.mark.parametrize(
    "data",
    [
        MESSAGE,
        MESSAGE.replace(b"\r\n", b"\n"),
        MESSAGE.replace(b"\r\n", b"\r"),
        b"From a@example.com Mon Apr  6 09:00:00 2026\n" + MESSAGE,
        b"\xef\xbb\xbf" + MESSAGE,
        b"\xff\xfe" + MESSAGE.decode().encode("utf-16-le"),
        b"Received: from mx\n\tby host; Mon, 6 Apr 2026\nDate: Mon, 6 Apr 2026\n\n",
        b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=a\n\n--a--\n",
        b"Return-Path: <>\nReceived: from mx\n",
    ],
    ids=["crlf", "lf", "cr", "mbox", "utf8-mark", "utf16", "folded", "mime", "headers-only"],
)
def test_a_header_block_of_mail_is_recognised(data: bytes) -> None:
    assert EmailObserver().sniff(data) == "message/rfc822"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"From,To,Subject\na@example.com,b@example.com,x\n",
        b"Date: 2026-04-06\nSubject: minutes\n\nAgenda\n",
        b"From: me\nTo: you\nSubject: a note without addresses\n\ntext",
        b"Title: a\nAuthor: b\nDate: c\n\nmarkdown",
        b"HTTP/1.1 200 OK\nDate: Mon\nContent-Type: text/html\n\n<p>",
        b"Metadata-Version: 2.1\nName: x\nVersion: 1\n\ntext",
        b"name: ci\non: push\njobs:\n  a: b\n",
        b"%PDF-1.7\nFrom: a@example.com\nTo: b@example.com\nSubject: x\n",
        "件名: 打合せ\n日付: 4月6日\n".encode(),
        b"D" * 4000,
        b"\x78\x9f\x3e\x22" + bytes(100),
    ],
)
def test_other_text_and_bytes_are_left_to_their_own_formats(data: bytes) -> None:
    """A claim here would take CSV, notes and configuration files away from the text reader."""
    assert EmailObserver().sniff(data) is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no mail message"),
        (b"D" * 4000, "no mail message"),
        (b"\x00\x01\x02", "no mail message"),
        (b"just a sentence\n", "no mail message"),
        (b"\x78\x9f\x3e\x22" + bytes(100), "winmail.dat"),
    ],
)
def test_bytes_without_headers_are_refused_with_what_they_are(data: bytes, said: str) -> None:
    with pytest.raises(SourceUnreadable, match=said):
        observe(data)


def test_a_message_is_one_page_with_a_text_layer() -> None:
    observed = observe(MESSAGE)
    assert [page.number for page in observed.pages] == [1]
    assert observed.pages[0].text_layer is TextLayer.PRESENT


def test_headers_alone_are_a_message() -> None:
    """A message whose body was stripped by a gateway is still a message."""
    assert observe(b"From: a@example.com\nSubject: x").properties == {"title": "x", "author": "a@example.com"}


def test_the_fields_that_relate_messages_are_declared_properties() -> None:
    observed = observe(
        b"Message-ID: <2@x>\nIn-Reply-To: <1@x>\nReferences: <0@x>\n <1@x>\nDate: Mon, 6 Apr 2026 09:00:00 +0900\n\n"
    )
    assert observed.properties == {
        "message_id": "<2@x>",
        "in_reply_to": "<1@x>",
        "references": "<0@x> <1@x>",
        "date": "Mon, 6 Apr 2026 09:00:00 +0900",
    }


@pytest.mark.parametrize(
    ("content_type", "signal"),
    [("multipart/encrypted; boundary=a", "encrypted"), ("application/pkcs7-mime", "smime"), ("text/html", "html")],
)
def test_what_the_body_is_shows_as_a_signal(content_type: str, signal: str) -> None:
    assert observe(b"From: a@b\nContent-Type: " + content_type.encode() + b"\n\n").pages[0].signals == (signal,)
