"""The OpenAPI 3.1 document, made from the contracts themselves. ``docs/openapi.json`` is what it says.

Belongs here: paths, bodies and statuses as a client sees them. Does not: any schema written by hand but that of a
multipart form. Transport errors (404 of an unknown path, 405) belong to no operation and are not listed in one.
"""

import importlib.metadata
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from indx_core.app.http.parts import PARTS, REQUESTS, Operation
from indx_core.contracts.base import Contract
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.encode import EmbedResult, EncodeResult
from indx_core.contracts.errors import ErrorEnvelope
from indx_core.contracts.plan import PlanResult

Mode = Literal["validation", "serialization"]
Schema = dict[str, Any]


class Health(Contract):
    """The process is alive; nothing is said of its engines."""

    status: str
    version: str


RESULTS: dict[Operation, type[BaseModel]] = {
    Operation.PLAN: PlanResult,
    Operation.ENCODE: EncodeResult,
    Operation.EMBED: EmbedResult,
}
SUMMARIES = {
    Operation.PLAN: "Inspect processing decisions without executing them",
    Operation.ENCODE: "Execute a supplied plan exactly, or create one first",
    Operation.EMBED: "Place a text or image query in an embedding space",
}
STATUSES = {
    403: "The request was addressed by a foreign host name or sent by a foreign web page",
    404: "The pinned snapshot is not retained",
    408: "The body stopped arriving",
    409: "The supplied plan does not match the source, its media type or the snapshot",
    413: "More bytes than this service takes",
    415: "The content type, the scheme of the source, or its media type is not supported here",
    422: "The request does not validate, or the source or what was asked of it is refused",
    500: "An error the service did not type; `X-Request-ID` finds its log line",
    501: "The contract exists and its implementation has not landed",
    503: "A capability or a worker failed, or the service is busy (`Retry-After`)",
    504: "The deadline passed, or the caller hung up",
}
OF_OPERATION = {
    Operation.PLAN: (403, 408, 413, 415, 422, 500, 501, 503, 504),
    Operation.ENCODE: (403, 408, 409, 413, 415, 422, 500, 501, 503, 504),
    Operation.EMBED: (403, 408, 413, 415, 422, 500, 501, 503, 504),
}


@lru_cache(maxsize=1)
def document() -> bytes:
    """The document as it is served."""
    return json.dumps(openapi(), ensure_ascii=False, separators=(",", ":")).encode()


def openapi() -> Schema:
    """The document as JSON values; the same for every installation of one version."""
    refs, definitions = _schemas()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "indx",
            "version": importlib.metadata.version("indx-dagster"),
            "summary": "Documents as addressable, searchable, auditable data.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": {
            "/health": {"get": _get("health", "Process liveness and package version", refs[Health], (403,))},
            "/v1/capabilities": {
                "get": _get(
                    "capabilities",
                    "The current capability snapshot, or a retained one",
                    refs[CapabilitySnapshot],
                    (403, 404, 500),
                    [_parameter("snapshot_id", "query", "A snapshot this service advertised before")],
                )
            },
            **{f"/v1/{each}": {"post": _post(each, refs)} for each in Operation},
        },
        "components": {
            "schemas": dict(sorted(definitions.items())),
            "headers": {"XRequestID": {"description": "The caller's, or one made here", "schema": {"type": "string"}}},
        },
    }


def _schemas() -> tuple[dict[type[BaseModel], Schema], Schema]:
    """A reference to every model of the surface, and all definitions they need."""
    inputs: list[type[BaseModel]] = [*REQUESTS.values(), *PARTS.values()]
    outputs: list[type[BaseModel]] = [*RESULTS.values(), CapabilitySnapshot, ErrorEnvelope, Health]
    modes: list[tuple[type[BaseModel], Mode]] = [
        *((model, "validation") for model in inputs),
        *((model, "serialization") for model in outputs),
    ]
    found, definitions = models_json_schema(modes, ref_template="#/components/schemas/{model}")
    return {model: found[model, mode] for model, mode in modes}, definitions["$defs"]


def _get(name: str, summary: str, result: Schema, statuses: Iterable[int], parameters: Iterable[Schema] = ()) -> Schema:
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [*parameters, _correlation()],
        "responses": _responses(result, statuses),
    }


def _post(operation: Operation, refs: dict[type[BaseModel], Schema]) -> Schema:
    form = {
        "type": "object",
        "properties": {
            "file": {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"},
            "request": refs[PARTS[operation]],
        },
        # An embedding names its space; the other requests have a default for every field.
        "required": ["file", "request"] if operation is Operation.EMBED else ["file"],
        "additionalProperties": False,
    }
    return {
        "operationId": str(operation),
        "summary": SUMMARIES[operation],
        "parameters": [_correlation()],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {"schema": refs[REQUESTS[operation]]},
                "multipart/form-data": {"schema": form, "encoding": {"request": {"contentType": "application/json"}}},
            },
        },
        "responses": _responses(refs[RESULTS[operation]], OF_OPERATION[operation]),
    }


def _responses(result: Schema, statuses: Iterable[int]) -> Schema:
    headers = {"X-Request-ID": {"$ref": "#/components/headers/XRequestID"}}
    failure = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorEnvelope.__name__}"}}}
    return {
        "200": {"description": "The result", "headers": headers, "content": {"application/json": {"schema": result}}},
        **{
            str(status): {"description": STATUSES[status], "headers": headers, "content": failure}
            for status in statuses
        },
    }


def _correlation() -> Schema:
    return _parameter("X-Request-ID", "header", "Correlation id of the answer and of the log line")


def _parameter(name: str, where: str, description: str) -> Schema:
    return {"name": name, "in": where, "required": False, "description": description, "schema": {"type": "string"}}
