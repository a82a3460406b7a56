"""Options of the command line as a validated request; what does not validate names the option's field."""

import json
from typing import Any

from pydantic import ValidationError

from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.source import Source


def build_encode_request(source: Source, *, metadata: str, plan: Any = None, **fields: Any) -> EncodeRequest:
    """An ``EncodeRequest``.

    Args:
        source: What to read.
        metadata: A JSON object.
        plan: Parsed JSON of a plan, or of a ``PlanResult`` that carries one under ``plan``.
        **fields: Other fields, already typed.

    Raises:
        RequestInvalid: With the dotted location of the field at fault in ``param``.
    """
    if isinstance(plan, dict) and "plan" in plan and "plan_id" not in plan:
        plan = plan["plan"]
    try:
        labels = json.loads(metadata)
    except json.JSONDecodeError as error:
        raise RequestInvalid(f"metadata is not JSON: {error}", param="metadata") from None
    try:
        return EncodeRequest.model_validate({"source": source, "metadata": labels, "plan": plan, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join(map(str, first["loc"]))
        raise RequestInvalid(f"{location}: {first['msg']}", param=location) from None
