"""Object-store servers for the loaders, each started once a session and only when a test asks for it."""

from collections.abc import Iterator

import pytest
from object_servers import ObjectServer, azure_server, gcs_server, s3_server


@pytest.fixture(scope="session")
def s3() -> Iterator[ObjectServer]:
    with s3_server() as running:
        yield running


@pytest.fixture(scope="session")
def gs() -> Iterator[ObjectServer]:
    with gcs_server() as running:
        yield running


@pytest.fixture(scope="session")
def az() -> Iterator[ObjectServer]:
    with azure_server() as running:
        yield running
