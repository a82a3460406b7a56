"""A request body becomes a validated request of the contract: JSON, or a file with a JSON part beside it.

Belongs here: the part schemas and where a field at fault is. Does not: bytes off a socket (``upload``).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError, create_model

from indx_core.contracts.base import Contract, fault
from indx_core.contracts.encode import EmbedRequest, EncodeRequest, ImageInput
from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.plan import PlanRequest
from indx_core.contracts.source import InlineSource

M = TypeVar("M", bound=BaseModel)

BODY = "body"
"""``param`` of a body that is not a JSON object."""

LONGEST_PARAM = 200
"""A location holds names the caller chose; it is echoed up to here."""


class Operation(StrEnum):
    """What a body is a request for."""

    PLAN = "plan"
    ENCODE = "encode"
    EMBED = "embed"


REQUESTS: Mapping[Operation, type[PlanRequest | EmbedRequest]] = {
    Operation.PLAN: PlanRequest,
    Operation.ENCODE: EncodeRequest,
    Operation.EMBED: EmbedRequest,
}


def _part(request: type[BaseModel], supplied: str) -> type[BaseModel]:
    """The schema of a request without the field that the file supplies."""
    name = f"{request.__name__}Part"
    fields: dict[str, Any] = {
        each: (info.annotation, info) for each, info in request.model_fields.items() if each != supplied
    }
    text = f"`{request.__name__}` without `{supplied}`, which is the file uploaded beside it."
    return create_model(name, __base__=Contract, __doc__=text, __module__=__name__, **fields)


PARTS: Mapping[Operation, type[BaseModel]] = {
    Operation.PLAN: _part(PlanRequest, "source"),
    Operation.ENCODE: _part(EncodeRequest, "source"),
    Operation.EMBED: _part(EmbedRequest, "input"),
}


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """The ``file`` part of a multipart body.

    Attributes:
        data: Its bytes.
        filename: As the client named it.
        media_type: As the client declared it; ``None`` where it said nothing but "bytes".
    """

    data: bytes = field(repr=False)
    filename: str | None = None
    media_type: str | None = None


@dataclass(frozen=True, slots=True)
class Upload:
    """A body as it arrived, not yet validated.

    Attributes:
        document: The JSON: the whole body, or its ``request`` part.
        file: The uploaded file; ``None`` for a JSON body.
    """

    document: bytes = field(repr=False)
    file: UploadedFile | None = None


def parse(operation: Operation, upload: Upload) -> PlanRequest | EmbedRequest:
    """The request in a body.

    Raises:
        RequestInvalid: With the dotted location of the first field at fault in ``param``.
    """
    if upload.file is None:
        return _validated(REQUESTS[operation], upload.document, BODY)
    part = _validated(PARTS[operation], upload.document, "request")
    source = InlineSource(data=upload.file.data, media_type=upload.file.media_type, filename=upload.file.filename)
    supplied = {"input": ImageInput(source=source)} if operation is Operation.EMBED else {"source": source}
    values = {name: getattr(part, name) for name in type(part).model_fields}
    try:
        return REQUESTS[operation].model_validate({**values, **supplied})
    except ValidationError as error:  # a rule of the whole request, such as its reserved metadata keys
        raise _at_fault(error, "request") from None


def caller_request_id(upload: Upload) -> str | None:
    """The caller's own ``request_id`` in a body that need not validate; ``None`` where it has none.

    Half a surrogate pair is none: no JSON answer could carry it back.
    """
    try:
        document = json.loads(upload.document)
        found = document.get("request_id") if isinstance(document, dict) else None
        return found.encode().decode() if isinstance(found, str) else None
    except (ValueError, RecursionError):
        return None


def _validated(model: type[M], document: bytes, whole: str) -> M:
    try:
        return model.model_validate_json(document)
    except ValidationError as error:
        raise _at_fault(error, whole) from None


def _at_fault(error: ValidationError, whole: str) -> RequestInvalid:
    """The first problem. Its input is left out: it may be a secret, and it may be 100 MB."""
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    first = problems[0]
    location = ".".join(map(str, first["loc"]))[:LONGEST_PARAM] or whole
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return RequestInvalid(f"{location}: {fault(first)[:LONGEST_PARAM]}{more}", param=location)
