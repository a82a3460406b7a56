"""One service for all tests of a module that ask nothing special of it: starting its worker takes longer than asking."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from app.http.serving import Running


@pytest.fixture(scope="module")
def service() -> "Iterator[Running]":
    from app.http.serving import running

    with running() as started:
        yield started
