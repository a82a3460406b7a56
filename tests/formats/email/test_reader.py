"""Bodies and attachments: which part is read, which is named, and what is said about it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import PageOutput
from indx_core.formats.email.body import unflowed
from indx_core.formats.email.reader import EmailReader
from indx_core.formats.email.visible import visible_text
from indx_core.ports.document import OpenDocument
from indx_core.ports.reader import Reader


def read(data: bytes) -> PageOutput:
    (page,) = EmailReader().read(OpenDocument(data, "message/rfc822"), [1])
    return page


def multipart(subtype: str, *parts: bytes) -> bytes:
    body = b"".join(b"--b\n" + part + b"\n" for part in parts)
    return b"From: a@example.com\nContent-Type: multipart/" + subtype.encode() + b"; boundary=b\n\n" + body + b"--b--\n"


PLAIN = b"Content-Type: text/plain\n\nplain body"
HTML = b"Content-Type: text/html\n\n<p>html <b>body</b></p>"
PDF = b"Content-Type: application/pdf; name=a.pdf\n\nx"


def test_it_implements_the_port_and_knows_no_other_page() -> None:
    assert isinstance(EmailReader(), Reader)
    assert list(EmailReader().read(OpenDocument(b"From: a@b\n\n", "message/rfc822"), [2])) == []


def test_five_headers_a_body_and_the_attachments_make_the_text() -> None:
    data = multipart("mixed", PLAIN, PDF).replace(
        b"From: a@example.com\n",
        b"Received: x\nSubject: s\nDate: d\nCc: c@example.com\nTo: b@example.com\nFrom: a@example.com\nX-Mailer: y\n",
    )
    assert read(data).text.split("\n") == [
        "From: a@example.com",
        "To: b@example.com",
        "Cc: c@example.com",
        "Date: d",
        "Subject: s",
        "",
        "plain body",
        "",
        "Attachments:",
        "- a.pdf (application/pdf)",
    ]


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (multipart("alternative", PLAIN, HTML), "plain body"),
        (multipart("alternative", HTML, PLAIN), "plain body"),
        (multipart("alternative", b"Content-Type: text/plain\n\n \n", HTML), "html body"),
        (multipart("mixed", PLAIN, HTML), "plain body\n\nhtml body"),
        (multipart("unheard-of", PLAIN), "plain body"),
        (multipart("mixed", b"\nno headers in this part"), "no headers in this part"),
        (b"From: a@b\n\n", ""),
        (b"From: a@b", ""),
        (b"From: a@b\nContent-Transfer-Encoding: base64\n\ndGV4dA", "text"),
        (b"From: a@b\nContent-Transfer-Encoding: base64\n\ndG V4\ndA== trailing", "text"),
        (b"From: a@b\nContent-Transfer-Encoding: quoted-printable\n\na=3Db=\nc", "a=bc"),
        (b"From: a@b\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 f\n#86)C\n`\nend\n", "abc"),
        (b"From: a@b\nContent-Type: text/plain; format=flowed\n\none \ntwo\n> q \n> r\n", "one two\n> q r"),
        (b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nunclosed", "unclosed"),
        (b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext--b--", "text"),
        (b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\nnever divided", "never divided"),
        (b"From: a@b\nContent-Type: multipart/mixed\n\nno boundary", "no boundary"),
        (b"From: a@b\nContent-Type: garbage\n\ntext", "text"),
    ],
)
def test_the_body_is_found(data: bytes, body: str) -> None:
    assert read(data).text.removeprefix(read(data).text.split("\n")[0]).strip("\n") == body


@pytest.mark.parametrize(
    ("part", "line"),
    [
        (b"Content-Type: image/png\nContent-ID: <x>\n\nx", "unnamed (image/png)"),
        (b"Content-Type: image/png\nContent-Description: the logo\n\nx", "the logo (image/png)"),
        (b"Content-Type: text/plain; name=n.txt\nContent-Disposition: attachment\n\nx", "n.txt (text/plain)"),
        (b"Content-Type: message/rfc822\n\nSubject: inner\n\nx", "inner (message/rfc822)"),
        (b"Content-Type: message/rfc822\n\nnot a message", "unnamed (message/rfc822)"),
        (b'Content-Type: a/b; name="../../etc/passwd"\n\nx', "passwd (a/b)"),
        (b'Content-Type: a/b; name="C:\\\\tmp\\\\x.doc"\n\nx', "x.doc (a/b)"),
        (b"Content-Type: application/ms-tnef; name=winmail.dat\n\nx", "winmail.dat (application/ms-tnef)"),
        (b"Content-Type: application/pkcs7-signature; name=smime.p7s\n\nx", "smime.p7s (application/pkcs7-signature)"),
        (b"Content-Type: text/calendar; name=i.ics\n\nx", "i.ics (text/calendar)"),
    ],
)
def test_a_part_that_is_not_read_is_named(part: bytes, line: str) -> None:
    assert read(multipart("mixed", PLAIN, part)).text.endswith("plain body\n\nAttachments:\n- " + line)


def test_what_hangs_on_the_version_not_chosen_is_still_named() -> None:
    related = (
        b"Content-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<p>x</p>\n"
        b"--r\nContent-Type: image/gif; name=i.gif\n\nx\n--r--"
    )
    assert read(multipart("alternative", PLAIN, related)).text.endswith(
        "plain body\n\nAttachments:\n- i.gif (image/gif)"
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"From: a@b\nContent-Type: application/pkcs7-mime; name=smime.p7m\n\nx", "body_encrypted"),
        (multipart("encrypted", b"Content-Type: application/pgp-encrypted\n\nVersion: 1"), "body_encrypted"),
        (b"From: a@b\nContent-Type: application/ms-tnef; name=winmail.dat\n\nx", "body_in_tnef"),
        (b"From: a@b\nContent-Type: message/partial; number=2\n\nx", "partial_message"),
        (b"From: a@b\nContent-Transfer-Encoding: rot13\n\nx", "transfer_encoding_unknown"),
        (multipart("mixed", PLAIN).removesuffix(b"--b--\n"), "multipart_unclosed"),
    ],
)
def test_what_could_not_be_read_as_it_stands_is_said(data: bytes, code: str) -> None:
    assert code in [found for found, _ in read(data).findings]


def test_two_thousand_messages_inside_each_other_are_one_attachment() -> None:
    """A parser that descends ends in a RecursionError here; nothing of an attached message is opened."""
    data = b"From: a@b\nSubject: s\nContent-Type: message/rfc822\n\n" * 2_000
    assert read(data).text == "From: a@b\nSubject: s\n\nAttachments:\n- s (message/rfc822)"


def test_a_thousand_multiparts_inside_each_other_are_cut_with_a_finding() -> None:
    levels = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(1_000))
    page = read(b"From: a@b\n" + b"".join(levels) + b"\ntext")
    assert "parts_left_out" in [code for code, _ in page.findings]


def test_a_flowed_paragraph_of_japanese_joins_without_spaces() -> None:
    assert unflowed("これは \n一行です。\n\n-- \n署名", delete_space=True) == "これは一行です。\n\n-- \n署名"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a<br>b<div>c</div><div>d</div>", "a\nb\nc\nd"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<ul><li>a<li>b</ul><ol><li><p>c</p></ol>", "- a\n- b\n\n1. c"),
        ("<table><tr><td>a<td>b<tr><td><p>c</p></td><td><p>d</p></td></table>", "a\tb\nc\td"),
        ("<td>a<br>b</td><td>c</td>", "a\nb\nc"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("&lt;a&gt; &amp; &#12354;&nbsp;x", "<a> & あ x"),
        ("<span hidden>a</span><p style='Display: NONE'>b</p><i style='font-size:0px'>c</i>d", "d"),
        ("<p style='font-size:0.8em'>shown</p>", "shown"),
        ("<style>a</style><script>b</script><!-- c --><title>d</title>e", "e"),
        ("<style>never closed", ""),
        ("<![if !mso]>shown<![endif]>", "shown"),
        ("a</div></p></table>b", "ab"),
        ("1 < 2", "1 < 2"),
    ],
)
def test_html_becomes_the_lines_a_reader_sees(markup: str, text: str) -> None:
    assert visible_text(markup) == text


@given(
    st.lists(
        st.sampled_from(
            ["<div>", "</div>", "<td>", "<li>", "<ol>", "</ol>", "<pre>", "</pre>", "<br>", "x", "<!--", "<"]
        )
    )
)
def test_no_markup_raises(pieces: list[str]) -> None:
    assert isinstance(visible_text("".join(pieces)), str)


@given(st.binary(max_size=400))
def test_no_bytes_after_a_header_raise_anything_untyped(tail: bytes) -> None:
    """Charsets, boundaries and encodings come from the bytes themselves; only typed errors may leave."""
    try:
        read(b"From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: " + tail)
    except IndxError:
        pytest.fail("a message with headers is never refused")


@pytest.mark.corpus
def test_every_message_of_the_corpus_is_read_or_refused_with_a_typed_error(shared_corpus) -> None:
    outcomes = {}
    for path in [*(shared_corpus / "mail").iterdir(), *(shared_corpus / "hostile" / "mail").iterdir()]:
        try:
            outcomes[path.name] = read(path.read_bytes()).status.value
        except IndxError as error:
            outcomes[path.name] = error.code
    eml = {name: outcome for name, outcome in outcomes.items() if name.endswith(".eml")}
    refused = {name for name, outcome in eml.items() if outcome != "completed"}
    assert refused == {"made__no_headers_binary.eml"}
