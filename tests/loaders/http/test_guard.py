"""Which addresses the http loader connects to: every spelling of a private one, every hop, every answer of DNS."""

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from loaders.http.conftest import PUBLIC, Internet
from loaders.http.documents_server import DocumentsServer, redirect, reply

from indx_core.contracts.errors import SourceForbidden, SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.loaders.http.guard import is_public
from indx_core.loaders.http.loader import HttpLoader

LOADER = HttpLoader()


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "192.0.0.8",
        "192.0.0.192",
        "::ffff:192.0.0.192",
        "168.63.129.16",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "2002:7f00:1::",
        "2002:c0a8:101::1",
        "2001:0:7f00:1::",
        "2001:db8::1",
        "3fff::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_an_address_that_is_not_of_the_public_internet_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        PUBLIC,
        "172.32.0.1",
        "100.128.0.1",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2002:808:808::1",
    ],
)
def test_a_public_address_is_public(address: str) -> None:
    """On a network without IPv4 every public IPv4 host is reached through 64:ff9b::/96."""
    assert is_public(address)


LOOPBACK_SPELLINGS = [
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:0:0:1]",
    "127.0.0.1.",
    "１２７.0.0.1",
    "①②⑦.⓪.⓪.①",
]


@pytest.mark.parametrize("host", LOOPBACK_SPELLINGS)
def test_no_spelling_of_this_machine_is_fetched(server: DocumentsServer, host: str) -> None:
    """Which spellings resolve at all is the C library's business; none may reach the server."""
    server.answers["/secret"] = reply(b"secret")
    with pytest.raises((SourceForbidden, SourceUnreadable)):
        LOADER.load(server.url("/secret", host), None)
    assert server.requests == []


def test_a_refusal_names_the_variable_and_no_address(server: DocumentsServer, caplog: pytest.LogCaptureFixture) -> None:
    """What a name resolves to inside is what a probe wants to know: it stands in the log alone."""
    with pytest.raises(SourceForbidden) as refused:
        LOADER.load(server.url("/", "localhost"), None)
    said = f"{refused.value.message} {refused.value.remedy} {refused.value.details}"
    assert "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS" in refused.value.message
    assert "127.0.0.1" not in said
    assert "::1" not in said
    assert "localhost resolves to" in caplog.text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1", "2130706433"])
@pytest.mark.usefixtures("private_allowed")
def test_private_hosts_are_fetched_where_a_deployment_allows_them(server: DocumentsServer, host: str) -> None:
    server.answers["/a.txt"] = reply(b"text")
    assert LOADER.load(server.url("/a.txt", host), None).data == b"text"


@pytest.mark.usefixtures("private_allowed")
def test_an_ipv6_literal_is_fetched_with_its_brackets_in_the_host_header() -> None:
    try:
        listener = socket.create_server(("::1", 0), family=socket.AF_INET6)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback address")
    with listener:
        listener.settimeout(10)
        port = listener.getsockname()[1]
        with ThreadPoolExecutor(1) as pool:
            loading = pool.submit(LOADER.load, f"http://[::1]:{port}/a", None)
            connection, _ = listener.accept()
            with connection:
                head = connection.recv(65536)
                connection.sendall(reply(b"six"))
            assert loading.result(10).data == b"six"
    assert f"Host: [::1]:{port}\r\n".encode() in head


@pytest.mark.parametrize(
    "uri",
    [
        "http://public.example@127.0.0.1/",
        "http://user:password@public.example/",
        "http://127.0.0.1\\@public.example/",
        "http://public.example\t.internal/",
        "http://public.example/\r\nX-Injected: 1",
        "http://[::1/",
        "http://public.example:99999/",
        "http://public.example:port/",
        "http:///path",
        "http:public.example",
        "http://",
        "http://..",
        "http://" + "a" * 64 + ".example/",
        "http://%31%32%37.0.0.1/",
    ],
)
def test_an_address_that_two_parsers_could_read_differently_is_refused(internet: Internet, uri: str) -> None:
    with pytest.raises(SourceUnreadable):
        LOADER.load(uri, None)
    assert internet.dialled == []


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(SourceUnreadable) as refused:
        LOADER.load("http://user:hunter2@public.example/", None)
    assert "hunter2" not in refused.value.message


class TestPublicHosts:
    """The guard is on, and a public host leads to the server."""

    def test_a_public_host_is_fetched(self, server: DocumentsServer, internet: Internet) -> None:
        server.answers["/a.pdf"] = reply(b"%PDF")
        assert LOADER.load("http://public.example/a.pdf", None).data == b"%PDF"
        assert internet.dialled == [PUBLIC]

    @pytest.mark.parametrize("host", LOOPBACK_SPELLINGS)
    def test_no_redirect_leads_to_this_machine(self, server: DocumentsServer, internet: Internet, host: str) -> None:
        server.answers |= {"/away": redirect(server.url("/secret", host)), "/secret": reply(b"secret")}
        with pytest.raises((SourceForbidden, SourceUnreadable)):
            LOADER.load("http://public.example/away", None)
        assert internet.dialled == [PUBLIC]
        assert server.requests == ["/away"]

    def test_the_last_of_several_redirects_is_guarded_too(self, server: DocumentsServer, internet: Internet) -> None:
        server.answers |= {
            "/1": redirect("/2", 301),
            "/2": redirect("//public.example/3", 308),
            "/3": redirect("http://169.254.169.254/latest/meta-data/", 307),
        }
        with pytest.raises(SourceForbidden) as refused:
            LOADER.load("http://public.example/1", None)
        assert internet.dialled == [PUBLIC] * 3
        assert "169.254" not in refused.value.message

    def test_a_name_that_answers_differently_the_second_time_is_asked_once_a_hop(
        self, server: DocumentsServer, internet: Internet
    ) -> None:
        """DNS rebinding: a public address for the check, a private one for the connection."""
        internet.names["rebinding.example"] = [[PUBLIC], ["127.0.0.1"]]
        server.answers["/a"] = reply(b"public")
        assert LOADER.load("http://rebinding.example/a", None).data == b"public"
        assert internet.asked.count("rebinding.example") == 1
        with pytest.raises(SourceForbidden):
            LOADER.load("http://rebinding.example/a", None)
        assert internet.dialled == [PUBLIC]

    def test_a_redirect_to_the_same_name_is_resolved_and_checked_anew(
        self, server: DocumentsServer, internet: Internet
    ) -> None:
        internet.names["rebinding.example"] = [[PUBLIC], ["127.0.0.1"]]
        server.answers |= {"/a": redirect("/b"), "/b": reply(b"secret")}
        with pytest.raises(SourceForbidden):
            LOADER.load("http://rebinding.example/a", None)
        assert server.requests == ["/a"]

    @pytest.mark.parametrize("addresses", [[PUBLIC, "127.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC, "::1"]])
    def test_a_name_with_one_private_address_among_public_ones_is_refused(
        self, internet: Internet, addresses: list[str]
    ) -> None:
        """Which of them a connection takes depends on which answers."""
        internet.names["mixed.example"] = [addresses]
        with pytest.raises(SourceForbidden):
            LOADER.load("http://mixed.example/", None)
        assert internet.dialled == []

    @pytest.mark.parametrize(
        "location",
        ["file:///etc/passwd", "ftp://public.example/a", "gopher://127.0.0.1:6379/_", "data:text/plain,a", "FILE:/etc"],
    )
    def test_a_redirect_to_another_scheme_is_refused(
        self, server: DocumentsServer, internet: Internet, location: str
    ) -> None:
        server.answers["/a"] = redirect(location)
        with pytest.raises(SourceForbidden, match="does not speak"):
            LOADER.load("http://public.example/a", None)
        assert internet.dialled == [PUBLIC]

    def test_proxy_variables_are_ignored(
        self, server: DocumentsServer, internet: Internet, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A proxy resolves the name itself, past the guard."""
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        server.answers["/a"] = reply(b"direct")
        assert LOADER.load("http://public.example/a", None).data == b"direct"

    def test_the_next_address_of_a_host_is_tried(self, server: DocumentsServer, internet: Internet) -> None:
        internet.names["two.example"] = [["93.184.216.35", PUBLIC]]
        internet.closed.add("93.184.216.35")
        server.answers["/a"] = reply(b"found")
        assert LOADER.load("http://two.example/a", None).data == b"found"


def test_a_name_server_that_does_not_answer_is_worth_another_try(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def resolve(*args: object, **options: object) -> None:
        asked.append(args)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("indx_core.loaders.http.connection.socket.getaddrinfo", resolve)
    monkeypatch.setattr("indx_core.loaders.http.attempts.FIRST_PAUSE_SECONDS", 0.001)
    with pytest.raises(SourceTemporarilyUnreadable):
        LOADER.load("http://public.example/", None)
    assert len(asked) == 3
