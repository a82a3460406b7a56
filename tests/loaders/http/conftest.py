"""A server on a loopback address, and an Internet on which public hosts lead to it."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from loaders.http.documents_server import DocumentsServer, serving

from indx_core.loaders.http import connection

PUBLIC = "93.184.216.34"
"""An address that the guard lets pass; nothing is ever sent to it."""


@pytest.fixture
def server() -> Iterator[DocumentsServer]:
    with serving() as running:
        yield running


@pytest.fixture
def private_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS", "true")


@dataclass
class Internet:
    """Names and routes of a test: what a name server says, a question at a time, and where connections went."""

    names: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)


@pytest.fixture
def internet(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> Internet:
    """The guard is on. ``PUBLIC`` is routed to the server; whatever else is dialled is dialled as it stands."""
    net = Internet({"public.example": [[PUBLIC]]})
    real_resolve, real_open = socket.getaddrinfo, connection._open

    def resolve(host: str, port: int, **options: Any) -> list[Any]:
        net.asked.append(host)
        if host not in net.names:
            return real_resolve(host, port, **options)
        answers = net.names[host]
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [entry for address in addresses for entry in real_resolve(address, port, **options)]

    def open_(family: socket.AddressFamily, sockaddr: tuple[Any, ...], seconds: float) -> socket.socket:
        net.dialled.append(sockaddr[0])
        if sockaddr[0] in net.closed:
            raise ConnectionRefusedError
        if sockaddr[0] == PUBLIC:
            return real_open(socket.AF_INET, ("127.0.0.1", server.port), seconds)
        return real_open(family, sockaddr, seconds)

    monkeypatch.setattr(connection.socket, "getaddrinfo", resolve)
    monkeypatch.setattr(connection, "_open", open_)
    return net
