"""A server of each kind of object store that a lake can be in, started once a session and only when asked for."""

import itertools
from collections.abc import Iterator

import pytest
from object_servers import SERVERS, ObjectServer

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session", params=list(SERVERS))
def store_server(request: pytest.FixtureRequest) -> Iterator[ObjectServer]:
    with SERVERS[request.param]() as running:
        running.create("lakes")
        yield running


@pytest.fixture
def lake_address(store_server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder of a bucket that no other test writes to, with the variables set by which the lake reaches it."""
    for name, value in store_server.lake.items():
        monkeypatch.setenv(name, value)
    address = f"{store_server.scheme}://lakes/a prefix/{next(_NUMBERS)}"
    monkeypatch.setenv("INDX_LAKE", address)
    return address
