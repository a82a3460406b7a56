"""http: and https: documents over a real server: what arrives, what is refused, and what is tried again."""

import datetime as dt
import gzip
import ipaddress
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loaders.http.documents_server import DocumentsServer, dripping, redirect, reply, serving

from indx_core.contracts.errors import (
    InputTooLarge,
    SourceForbidden,
    SourceTemporarilyUnreadable,
    SourceUnreadable,
)
from indx_core.loaders.http import connection
from indx_core.loaders.http.loader import HttpLoader
from indx_core.testing.conformance import check_loader

LOADER = HttpLoader()
pytestmark = pytest.mark.usefixtures("private_allowed", "without_pauses")


@pytest.fixture
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_core.loaders.http.attempts.FIRST_PAUSE_SECONDS", 0.001)


def test_the_http_loader_conforms(server: DocumentsServer) -> None:
    server.answers["/docs/a.txt"] = reply(b"text", 'ETag: "1"')
    check_loader(LOADER, server.url("/docs/a.txt"), b"text", server.url("/gone"))


def test_a_document_says_its_name_type_and_version(server: DocumentsServer) -> None:
    headers = (
        "Content-Type: text/csv; charset=shift_jis",
        'ETag: W/"v1"',
        "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT",
    )
    server.answers["/%E5%A0%B1%E5%91%8A.csv?id=1"] = reply(b"a,b", *headers)
    loaded = LOADER.load(server.url("/報告.csv?id=1#page"), None)
    assert (loaded.filename, loaded.declared_media_type) == ("報告.csv", "text/csv; charset=shift_jis")
    assert loaded.version == 'W/"v1"'
    assert loaded.uri == server.url("/報告.csv?id=1#page")


def test_without_an_etag_the_time_is_the_version(server: DocumentsServer) -> None:
    server.answers |= {"/a": reply(b"a", "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT"), "/b": reply(b"b")}
    assert LOADER.load(server.url("/a"), None).version == "Mon, 30 Nov 2026 00:00:00 GMT"
    assert LOADER.load(server.url("/b"), None).version is None


def test_a_redirect_is_followed_and_the_document_keeps_the_name_it_was_asked_by(server: DocumentsServer) -> None:
    server.answers |= {"/a/report.pdf": redirect("../x?y=1"), "/x?y=1": reply(b"%PDF")}
    loaded = LOADER.load(server.url("/a/report.pdf"), None)
    assert (loaded.data, loaded.filename) == (b"%PDF", "report.pdf")


def test_a_location_that_is_not_encoded_is_utf_8(server: DocumentsServer) -> None:
    location = "Location: /報告 1.pdf".encode()
    server.answers["/a"] = b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n" + location + b"\r\n\r\n"
    server.answers["/%E5%A0%B1%E5%91%8A%201.pdf"] = reply(b"found")
    assert LOADER.load(server.url("/a"), None).data == b"found"


def test_a_circle_of_redirects_ends(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.answers |= {"/a": redirect("/b"), "/b": redirect("/a")}
    monkeypatch.setenv("INDX_LOADER_HTTP_MAX_REDIRECTS", "4")
    with pytest.raises(SourceUnreadable, match="INDX_LOADER_HTTP_MAX_REDIRECTS"):
        LOADER.load(server.url("/a"), None)
    assert len(server.requests) == 5


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("404 Not Found", "nothing at this address"),
        ("410 Gone", "nothing at this address"),
        ("401 Unauthorized", "credentials"),
        ("403 Forbidden", "refuses"),
        ("400 Bad Request", "status 400"),
        ("204 No Content", "status 204"),
        ("206 Partial Content", "status 206"),
        ("304 Not Modified", "status 304"),
        ("302 Found", "status 302"),
    ],
)
def test_an_answer_that_stays_the_same_is_asked_for_once(server: DocumentsServer, status: str, says: str) -> None:
    server.answers["/a"] = reply(b"", status=status)
    with pytest.raises(SourceUnreadable, match=says) as refused:
        LOADER.load(server.url("/a"), None)
    assert not isinstance(refused.value, SourceTemporarilyUnreadable)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_an_answer_that_may_pass_is_asked_for_again(
    server: DocumentsServer, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failure = reply(b"", status=f"{status} Later")
    server.answers["/a"] = [failure, failure, reply(b"at last")]
    assert LOADER.load(server.url("/a"), None).data == b"at last"
    server.requests.clear()
    server.answers["/a"] = failure
    monkeypatch.setenv("INDX_LOADER_HTTP_RETRIES", "1")
    with pytest.raises(SourceTemporarilyUnreadable, match=str(status)):
        LOADER.load(server.url("/a"), None)
    assert len(server.requests) == 2


def test_a_server_that_asks_for_more_patience_than_there_is_time_is_not_asked_again(server: DocumentsServer) -> None:
    server.answers["/a"] = reply(b"", "Retry-After: 3600", status="503 Busy")
    with pytest.raises(SourceTemporarilyUnreadable) as refused:
        LOADER.load(server.url("/a"), None)
    assert refused.value.details == {"status": 503, "retry_after_seconds": 3600}
    assert len(server.requests) == 1


def test_a_server_that_asks_for_no_pause_is_asked_again(server: DocumentsServer) -> None:
    server.answers["/a"] = [reply(b"", "Retry-After: 0", status="429 Slow down"), reply(b"now")]
    assert LOADER.load(server.url("/a"), None).data == b"now"


class TestLimits:
    """The limit counts decoded bytes, whatever the server announces."""

    @pytest.mark.parametrize(
        "answer",
        [
            reply(b"x" * 101),
            reply(b"", length=10**12),
            b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 101,
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" + b"x" * 101 + b"\r\n0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: none\r\n\r\n" + b"x" * 101,
            reply(gzip.compress(b"x" * 101), "Content-Encoding: gzip"),
            reply(gzip.compress(b"x" * 60) + gzip.compress(b"x" * 60), "Content-Encoding: x-gzip"),
        ],
        ids=["sized", "announced", "unsized", "chunked", "no-number", "gzip", "two-members"],
    )
    def test_a_document_beyond_the_limit_is_refused(self, server: DocumentsServer, answer: bytes) -> None:
        server.answers["/a"] = answer
        with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES"):
            LOADER.load(server.url("/a"), 100)

    def test_an_endless_body_is_read_no_further_than_the_limit(self, server: DocumentsServer) -> None:
        def endless(sock) -> None:
            sock.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                sock.sendall(b"x" * 65536)

        server.answers["/a"] = endless
        with pytest.raises(InputTooLarge):
            LOADER.load(server.url("/a"), 1_000_000)

    def test_a_gzip_bomb_is_decoded_no_further_than_the_limit(
        self, server: DocumentsServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Twenty kilobytes that hold twenty megabytes; counted as it is decoded, chunk by chunk."""
        from indx_core.loaders.http import body

        decoded = []
        plain = body._gunzipped

        def counting(chunks: Iterator[bytes]) -> Iterator[bytes]:
            for chunk in plain(chunks):
                decoded.append(len(chunk))
                yield chunk

        monkeypatch.setattr(body, "_gunzipped", counting)
        server.answers["/a"] = reply(gzip.compress(bytes(20_000_000), 9), "Content-Encoding: gzip")
        with pytest.raises(InputTooLarge):
            LOADER.load(server.url("/a"), 1_000_000)
        assert max(decoded) <= body.CHUNK
        assert sum(decoded) <= 1_000_000 + body.CHUNK

    @pytest.mark.parametrize("size", [0, 1, 65_535, 65_536, 65_537, 131_072, 1_000_000])
    def test_a_compressed_body_of_any_size_arrives_whole(self, server: DocumentsServer, size: int) -> None:
        data = bytes(range(256)) * (size // 256) + bytes(size % 256)
        server.answers["/a"] = reply(gzip.compress(data), "Content-Encoding: gzip")
        assert LOADER.load(server.url("/a"), size).data == data

    def test_a_compressed_body_without_a_byte_is_an_empty_document(self, server: DocumentsServer) -> None:
        server.answers["/a"] = reply(b"", "Content-Encoding: gzip")
        assert LOADER.load(server.url("/a"), 10).data == b""


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"half", length=8),
        CHUNKED + b"8\r\nhalf",
        CHUNKED + b"4\r\nhalf\r\n",
        reply(gzip.compress(b"half and half")[:-4], "Content-Encoding: gzip"),
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Len",
    ],
    ids=["length", "chunk", "last-chunk", "gzip", "no-answer", "head"],
)
def test_a_body_that_is_cut_off_is_never_a_document(server: DocumentsServer, answer: bytes) -> None:
    server.answers["/a"] = answer
    with pytest.raises(SourceUnreadable):
        LOADER.load(server.url("/a"), None)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"220 smtp ready\r\n", "not HTTP"),
        (CHUNKED + b"zz\r\nx", "ended before"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000, "not HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "not HTTP"),
        (reply(b"plain", "Content-Encoding: gzip"), "is not"),
        (reply(b"x", "Content-Encoding: br"), "not asked for"),
        (reply(b"", "Location: http://[::1", status="302 Found"), "malformed"),
    ],
)
def test_an_answer_that_makes_no_sense_is_a_typed_error(server: DocumentsServer, answer: bytes, says: str) -> None:
    server.answers["/a"] = answer
    with pytest.raises(SourceUnreadable, match=says):
        LOADER.load(server.url("/a"), None)


@pytest.mark.parametrize(
    "answer",
    [
        dripping(b"HTTP/1.1 200 OK\r\nX-Header: " + b"x" * 1000),
        dripping(reply(b"x" * 1000)),
        dripping(CHUNKED + b"3e8\r\n" + b"x" * 1000),
        dripping(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
        dripping(b""),
    ],
    ids=["header", "body", "chunk", "continue", "silence"],
)
def test_a_server_that_sends_a_byte_at_a_time_does_not_outlast_the_timeout(
    server: DocumentsServer, answer: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A timeout of the socket alone begins anew with every byte: 1,000 bytes would hold a worker for 50 seconds."""

    def slowly(sock) -> None:
        answer(sock)
        sock.settimeout(10)
        sock.recv(1)

    server.answers["/a"] = slowly
    monkeypatch.setenv("INDX_LOADER_HTTP_TIMEOUT_SECONDS", "0.3")
    with pytest.raises(SourceTemporarilyUnreadable, match="INDX_LOADER_HTTP_TIMEOUT_SECONDS"):
        LOADER.load(server.url("/a"), None)


def test_a_refused_connection_is_worth_another_try_and_names_no_address() -> None:
    with serving() as gone:
        uri = gone.url("/a")
    with pytest.raises(SourceTemporarilyUnreadable, match="cannot be reached") as refused:
        LOADER.load(uri, None)
    assert "127.0.0.1" not in refused.value.message


def test_nothing_is_sent_that_identifies_the_caller(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nowhere")
    server.answers["/a"] = reply(b"a", "Set-Cookie: seen=1")
    LOADER.load(server.url("/a"), None)
    LOADER.load(server.url("/a"), None)
    head = server.heads[1].decode().lower()
    assert "cookie" not in head
    assert "authorization" not in head
    assert "referer" not in head


class TestTls:
    """https: with a certificate of our own."""

    @pytest.fixture(scope="class")
    @staticmethod
    def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
        return _self_signed(tmp_path_factory.mktemp("tls") / "localhost.pem")

    @pytest.fixture
    def tls_server(self, certificate: Path) -> Iterator[DocumentsServer]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        with serving(lambda plain: context.wrap_socket(plain, server_side=True)) as running:
            yield running

    @pytest.fixture
    def trusted(self, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        connection._tls.cache_clear()
        yield
        connection._tls.cache_clear()

    @pytest.mark.usefixtures("trusted")
    def test_a_document_behind_a_verified_certificate_is_fetched(self, tls_server: DocumentsServer) -> None:
        tls_server.answers["/a"] = reply(b"x" * 200_000)
        assert LOADER.load(f"https://localhost:{tls_server.port}/a", None).data == b"x" * 200_000

    def test_a_certificate_that_does_not_verify_is_refused_for_good(self, tls_server: DocumentsServer) -> None:
        connection._tls.cache_clear()
        with pytest.raises(SourceUnreadable, match="certificate") as refused:
            LOADER.load(f"https://localhost:{tls_server.port}/a", None)
        assert not isinstance(refused.value, SourceTemporarilyUnreadable)

    @pytest.mark.usefixtures("trusted")
    def test_a_certificate_of_another_host_is_refused(self, tls_server: DocumentsServer) -> None:
        with pytest.raises(SourceUnreadable, match="certificate"):
            LOADER.load(f"https://127.1:{tls_server.port}/a", None)

    @pytest.mark.usefixtures("trusted")
    def test_a_redirect_into_tls_is_followed_and_one_out_of_it_is_not(
        self, server: DocumentsServer, tls_server: DocumentsServer
    ) -> None:
        server.answers |= {"/up": redirect(f"https://localhost:{tls_server.port}/a"), "/b": reply(b"plain")}
        tls_server.answers |= {"/a": reply(b"secured"), "/down": redirect(server.url("/b"))}
        assert LOADER.load(server.url("/up"), None).data == b"secured"
        with pytest.raises(SourceForbidden, match="plain http"):
            LOADER.load(f"https://localhost:{tls_server.port}/down", None)
        assert server.requests == ["/up"]

    def test_a_server_that_speaks_no_tls_is_a_typed_error(
        self, server: DocumentsServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It waits for the rest of a request, the loader for the rest of a handshake."""
        monkeypatch.setenv("INDX_LOADER_HTTP_TIMEOUT_SECONDS", "0.2")
        with pytest.raises(SourceUnreadable):
            LOADER.load(f"https://localhost:{server.port}/a", None)


def _self_signed(path: Path) -> Path:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path
