"""What a space says of itself in its metadata: what built it, how, and what could not be processed.

Holds no time: the same input, settings and version give the same bytes, and Dagster's events say when it was built.
"""

import importlib.metadata
from collections.abc import Iterable, Mapping
from typing import Any

from indx_core.contracts.knowledge import StageError

_DISTRIBUTION = "indx-dagster"


def about(*, config: Mapping[str, Any], errors: Iterable[StageError], **more: Any) -> dict[str, Any]:
    """The metadata of a space.

    Args:
        config: How it was built, JSON-ready.
        errors: Files that could not be processed.
        **more: Anything else that is said of it, such as ``corpus``.
    """
    tool = {"name": _DISTRIBUTION, "version": importlib.metadata.version(_DISTRIBUTION)}
    return {**more, "tool": tool, "config": dict(config), "errors": [error.model_dump() for error in errors]}
