"""Whatever the OpenAPI document allows, and what it does not: no status and no shape that it does not name."""

from collections.abc import Iterator

import pytest
from app.http.serving import Running, running

pytest.importorskip("schemathesis")

import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.specs.openapi import checks

CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
OPERATIONS = [("/v1/plan", "POST"), ("/v1/encode", "POST"), ("/v1/embed", "POST"), ("/v1/capabilities", "GET")]
EXAMPLES = 60


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    """Without the lanes that would ask another machine."""
    with running({"INDX_URI_SCHEMES": "data"}) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["valid", "invalid"])
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_no_answer_is_outside_the_document(service: Running, path: str, method: str, mode: GenerationMode) -> None:
    base = f"http://127.0.0.1:{service.port}"
    schema = schemathesis.openapi.from_url(f"{base}/openapi.json")
    statuses: list[int] = []

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=schema[path][method].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        response = case.call_and_validate(base_url=base, checks=CHECKS)
        statuses.append(response.status_code)
        assert response.status_code != 500, response.text
        assert response.headers["x-request-id"]

    ask()
    assert len(statuses) >= EXAMPLES / 2
    if mode is GenerationMode.NEGATIVE and method == "POST":
        assert {status for status in statuses if status >= 400}, "nothing invalid was ever sent"
    assert service.get("/health").status == 200
