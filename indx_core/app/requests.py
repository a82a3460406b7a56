"""Requests out of what callers type: validated, and refused with the dotted location of the field at fault.

One place for the Python facade and the command line; the HTTP transport has its own, since it answers before a model
exists. Does not hold any request.
"""

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from indx_core.contracts.base import fault
from indx_core.contracts.errors import RequestInvalid

Model = TypeVar("Model", bound=BaseModel)


def validated(kind: type[Model], fields: Any, within: str = "") -> Model:
    """A model of these fields.

    Args:
        kind: What to build.
        fields: A mapping, or anything the model validates.
        within: Dotted location of the whole, put before that of the field.

    Raises:
        RequestInvalid: A field does not validate; ``param`` is its location.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        location = ".".join([*([within] if within else []), *map(str, first["loc"])])
        raise RequestInvalid(f"{location}: {fault(first)}", param=location) from None


def parsed_json(text: str | bytes, param: str) -> Any:
    """JSON that a caller typed or named a file of.

    Raises:
        RequestInvalid: It is not JSON, not UTF-8, nested beyond reason, or holds a lone surrogate, which no JSON answer
            could carry back.
    """
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RequestInvalid(f"{param} is not JSON: {reason}", param=param) from None
    return value
