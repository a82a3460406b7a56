"""Every scenario runs against each transport; services are kept as long as scenarios want the same settings."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from scenarios.transports import CommandLine, Http, Python, Transport

Connect = Callable[..., Transport]


@pytest.fixture(scope="session")
def services() -> Iterator[Callable[[Mapping[str, str]], Any]]:
    """A service by its settings: one at a time, since each has a worker with engines in memory."""
    from app.http.serving import running

    started: dict[tuple[tuple[str, str], ...], Any] = {}
    with ExitStack() as stack:

        def service(environment: Mapping[str, str]) -> Any:
            key = tuple(sorted(environment.items()))
            if key not in started:
                stack.close()
                started.clear()
                started[key] = stack.enter_context(running(environment))
            return started[key]

        yield service


@pytest.fixture(params=["python", "command line", "http"])
def connect(request: pytest.FixtureRequest, tmp_path: Path) -> Connect:
    """The transport, under ``INDX_*`` variables of the scenario's own."""

    def connected(**environment: str) -> Transport:
        if request.param == "python":
            return Python(environment)
        if request.param == "command line":
            return CommandLine(environment, tmp_path)
        return Http(request.getfixturevalue("services")(environment))

    return connected
