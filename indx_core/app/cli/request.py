"""Options of the command line as a validated request; what does not validate names the option's field."""

from typing import Any

from indx_core.app.requests import parsed_json, validated
from indx_core.contracts.encode import EncodeRequest
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
    labels = parsed_json(metadata, "metadata")
    return validated(EncodeRequest, {"source": source, "metadata": labels, "plan": plan, **fields})
