"""Put on PYTHONPATH of a process under test: refuses every connection that leaves this machine and writes it down.

Inherited by worker processes, Dagster's daemon and code servers, since they are Python too.
"""

import os
import socket
from pathlib import Path

_connect, _connect_ex, _getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


def _refuse(host: object) -> None:
    name = str(host)
    if name and not name.startswith(_LOOPBACK):
        with Path(os.environ["LOOPBACK_ONLY_LOG"]).open("a", encoding="utf-8") as log:
            log.write(f"{os.getpid()} {name}\n")
        raise ConnectionRefusedError(f"a connection to {name} leaves this machine")


def connect(self: socket.socket, address: object) -> object:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        _refuse(address[0])
    return _connect(self, address)


def connect_ex(self: socket.socket, address: object) -> object:
    if self.family in (socket.AF_INET, socket.AF_INET6):
        _refuse(address[0])
    return _connect_ex(self, address)


def getaddrinfo(host: object, *args: object, **kwargs: object) -> object:
    if host is not None and host != socket.gethostname():
        _refuse(host)
    return _getaddrinfo(host, *args, **kwargs)


socket.socket.connect = connect
socket.socket.connect_ex = connect_ex
socket.getaddrinfo = getaddrinfo
