"""One service for all tests that ask nothing special of it: starting its worker takes longer than asking."""

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette")
pytest.importorskip("python_multipart")

from app.http.serving import Running, running


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with running() as started:
        yield started
