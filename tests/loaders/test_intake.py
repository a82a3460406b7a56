"""The network loaders as the intake sees them: installed, refused with the request's field, silent until asked."""

import subprocess
import sys

import pytest
from object_servers import ObjectServer

from indx_core.contracts.errors import SourceForbidden, SourceUnreadable
from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire, enabled_schemes, list_root
from indx_core.kit.registry import discover

FIRST_FETCH_ONLY = ("obstore", "boto3", "botocore", "indx_core.loaders.http.connection")


def test_every_scheme_of_the_design_is_installed_and_one_variable_narrows_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    registry = discover()
    assert {"az", "data", "file", "gs", "http", "https", "s3"} <= set(enabled_schemes(registry))
    monkeypatch.setenv("INDX_URI_SCHEMES", "file,s3")
    assert enabled_schemes(registry) == ("file", "s3")


def test_finding_the_loaders_imports_no_client_and_opens_no_socket() -> None:
    """An installation that reads files pays nothing for the clouds it never asks, and reaches none of them."""
    code = (
        "import sys\n"
        "sys.addaudithook(lambda event, args: print(event) if event.startswith('socket.') else None)\n"
        "from indx_core.kit.registry import discover\n"
        "from indx_core.kit.intake import resolvable\n"
        "resolvable(discover())\n"
        f"print([name for name in {FIRST_FETCH_ONLY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("uri", "error"),
    [
        ("http://127.0.0.1:1/a", SourceForbidden),
        ("HTTPS://localhost:1/a", SourceForbidden),
        ("http://user@public.example/a", SourceUnreadable),
        ("s3://bucket/a?versionId=1", SourceUnreadable),
        ("gs://bucket", SourceUnreadable),
        ("az://bucket/../a", SourceUnreadable),
    ],
)
def test_a_refusal_names_the_field_of_the_request(uri: str, error: type[SourceUnreadable | SourceForbidden]) -> None:
    with pytest.raises(error) as refused:
        acquire(UriSource(uri=uri), discover())
    assert refused.value.param == "source.uri.uri"
    assert refused.value.http_status == 422


@pytest.mark.services
def test_a_bucket_is_a_root_and_its_entries_are_documents(s3: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in s3.loader.items():
        monkeypatch.setenv(name, value)
    s3.create("intake")
    s3.write("intake", "資料/表.csv", b"a,b\n1,2\n", "binary/octet-stream")
    (entry,) = list_root("s3://intake/資料", discover())
    acquired = acquire(UriSource(uri=entry.uri), discover())
    assert (entry.path, acquired.media_type) == ("表.csv", "text/csv")
    assert acquired.loaded.version == entry.version
