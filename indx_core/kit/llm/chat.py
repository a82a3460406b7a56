"""Questions to a chat model and their answers: as text, or as one JSON object of a declared shape.

An answer is taken or refused, never repaired: a cut or misshapen one raises a typed error that says so. What to ask is
each lane's own.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from indx_core.kit.llm.connection import Connection

Shape = TypeVar("Shape", bound=BaseModel)

Message = dict[str, Any]
"""One message in the form OpenAI's chat protocol gives it: ``role`` and ``content``."""


class Answer(NamedTuple):
    """What a model said, and what that cost in USD; ``None`` where the price is unknown."""

    text: str
    cost_usd: float | None


def ask(connection: Connection, messages: Sequence[Message], **arguments: Any) -> Answer:
    """Ask for text, as deterministically as the model can.

    Args:
        connection: The model.
        messages: The conversation so far.
        arguments: Further arguments of LiteLLM's ``completion``.

    Raises:
        CapabilityUnavailable: As ``Connection.send`` raises, or the answer was cut off, withheld or empty.
    """
    response = connection.send("completion", messages=list(messages), temperature=0, **arguments)
    cost = connection.charged(response)
    choice = response.choices[0]
    if choice.finish_reason == "length":
        raise connection.refusal("was cut off before its answer ended", cost)
    if choice.finish_reason == "content_filter":
        raise connection.refusal("withheld its answer (content filter)", cost)
    text = choice.message.content
    if not isinstance(text, str) or not text.strip():
        raise connection.refusal("answered nothing", cost)
    return Answer(text, cost)


def ask_json(connection: Connection, messages: Sequence[Message], shape: type[Shape]) -> tuple[Shape, float | None]:
    """Ask for one JSON object of a shape; returns it and its cost.

    Args:
        connection: The model.
        messages: The conversation so far.
        shape: What the object looks like; its JSON schema is sent along where the model takes one.

    Raises:
        CapabilityUnavailable: As ``ask`` raises, or the answer is no JSON, or JSON of another shape.
    """
    answer = ask(connection, messages, response_format=_response_format(shape))
    try:
        return shape.model_validate_json(answer.text), answer.cost_usd
    except ValidationError as error:
        kind = error.errors(include_url=False, include_input=False, include_context=False)[0]["type"]
        other = "something other than JSON" if kind == "json_invalid" else f"JSON of another shape ({kind})"
        raise connection.refusal(f"answered {other}", answer.cost_usd) from None


def _response_format(shape: type[BaseModel]) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": shape.__name__.lower(), "schema": shape.model_json_schema(), "strict": True},
    }
