"""Parts of the JSON shapes that lanes ask for."""

import math
from typing import Annotated

from pydantic import AfterValidator


def _share(value: float) -> float:
    if math.isnan(value) or not 0 <= value <= 1:
        raise ValueError("between 0 and 1")
    return value


Share = Annotated[float, AfterValidator(_share)]
"""A confidence, 0-1. Checked here and not in the JSON schema: vendors refuse schemas with bounds in strict mode."""
