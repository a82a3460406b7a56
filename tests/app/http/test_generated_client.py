"""A client generated from the OpenAPI document asks the service, with a file and its typed request part beside it.

The generator pins what our environment has newer, so it lives in one of its own, which ``make test`` makes.
"""

import importlib
import io
import shutil
import subprocess
from pathlib import Path

import pytest
from app.http.serving import Running

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "openapi.json"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = shutil.which("openapi-python-client")
    if generator is None:
        pytest.skip("openapi-python-client is not on the PATH")
    folder = tmp_path_factory.mktemp("client") / "indx_client"
    arguments = ["generate", "--path", str(DOCUMENT), "--output-path", str(folder), "--meta", "none"]
    done = subprocess.run([generator, *arguments], capture_output=True, text=True, check=True)
    assert "WARNING" not in done.stdout.replace("Warning(s)", "").upper(), done.stdout
    return folder


@pytest.mark.slow
def test_a_generated_client_plans_an_upload_and_reads_its_failures(
    service: Running, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(package.parent))
    api, models, types, client = (
        importlib.import_module(f"indx_client.{name}") for name in ("api.default.plan", "models", "types", "client")
    )
    with client.Client(base_url=f"http://127.0.0.1:{service.port}") as connected:
        body = models.PlanFilesBody(
            file=types.File(payload=io.BytesIO(b"a note"), file_name="note.txt"),
            request=models.PlanRequestPart(request_id="generated", signature_detection=True),
        )
        result = api.sync(client=connected, body=body)
        assert isinstance(result, models.PlanResult)
        assert (result.plan.request_id, result.plan.page_count) == ("generated", 1)
        asked = models.PlanRequest(source=models.UriSource(type_="uri", uri="ftp://x/y"))
        refused = api.sync(client=connected, body=asked)
        assert isinstance(refused, models.ErrorEnvelope)
        assert refused.error.code == "unsupported_source"
