"""The base class of every public model, and the canonical JSON that digests are taken of.

Does not hold any noun of its own.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict


class Contract(BaseModel):
    """A frozen value of the public contract.

    Unknown fields are refused, so a misspelt option never passes silently; and numbers that JSON cannot write, such as
    ``1e400``, which is read as infinity: no identity could be taken of them.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        ser_json_bytes="base64",
        val_json_bytes="base64",
        defer_build=True,
    )


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: the form that identities are hashed in and that diffs well.

    Args:
        value: A model or anything ``json`` can write. NaN and infinities are refused (``ValueError``).
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_id(value: Any) -> str:
    """``sha256:<hex>`` of the canonical JSON of ``value``."""
    return "sha256:" + hashlib.sha256(canonical_json(value).encode()).hexdigest()


def fault(problem: Mapping[str, Any]) -> str:
    """What is wrong with a field, of one of pydantic's errors: a rule of ours in its own words alone.

    >>> fault({"msg": "Value error, a rule was broken"})
    'a rule was broken'
    """
    return str(problem["msg"]).removeprefix("Value error, ")
