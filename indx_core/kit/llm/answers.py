"""What lanes that ask for JSON share: parts of its shape, and labels put in order."""

import math
from collections.abc import Iterable
from typing import Annotated

from pydantic import AfterValidator, ConfigDict

from indx_core.contracts.annotation import Label

CLOSED = ConfigDict(extra="ignore", json_schema_extra={"additionalProperties": False})
"""Of every model in a shape: in strict mode vendors want closed schemas. What one adds all the same is dropped."""


def _share(value: float) -> float:
    if math.isnan(value) or not 0 <= value <= 1:
        raise ValueError("between 0 and 1")
    return value


Share = Annotated[float, AfterValidator(_share)]
"""A confidence, 0-1. Checked here and not in the JSON schema: vendors refuse schemas with bounds in strict mode."""


def ranked(given: Iterable[tuple[str, float]]) -> tuple[Label, ...]:
    """Labels with their confidence, each once: the highest confidence first, then as the model ordered them."""
    best: dict[str, float] = {}
    for label, confidence in given:
        best[label] = max(best.get(label, 0.0), confidence)
    ordered = sorted(best.items(), key=lambda item: -item[1])
    return tuple(Label(label=label, confidence=round(confidence, 6)) for label, confidence in ordered)
