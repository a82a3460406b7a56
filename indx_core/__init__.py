"""indx turns folders and buckets of documents into addressable, searchable, auditable data.

``import indx_core as indx`` gives the operations, the knowledge space and the contracts they speak. Everything is
imported on first use, so that the command line starts in a fraction of a second. The layers, top down: ``app``, then
``knowledge``, ``execution`` and ``planning`` side by side, then ``signatures``, ``formats``, ``engines`` and
``loaders``, then ``kit``, ``ports`` and ``contracts``.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indx_core.app.facade import capabilities, embed, encode, plan, search
    from indx_core.app.service import Service
    from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
    from indx_core.contracts.block import Block
    from indx_core.contracts.capability import CapabilitySnapshot
    from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult
    from indx_core.contracts.errors import IndxError
    from indx_core.contracts.plan import Constraints, Granularity, PlanRequest, PlanResult, RoutePlan
    from indx_core.contracts.source import InlineSource, UriSource
    from indx_core.knowledge.search import SearchFilters
    from indx_core.knowledge.space import KnowledgeSpace

__all__ = [
    "AnnotationSelection",
    "Block",
    "CapabilitySnapshot",
    "Constraints",
    "EmbedRequest",
    "EmbedResult",
    "EncodeRequest",
    "EncodeResult",
    "ExtractionSelection",
    "Granularity",
    "IndxError",
    "InlineSource",
    "KnowledgeSpace",
    "PlanRequest",
    "PlanResult",
    "RoutePlan",
    "SearchFilters",
    "Service",
    "UriSource",
    "capabilities",
    "embed",
    "encode",
    "plan",
    "search",
]

_HOMES = {
    "app.facade": ("capabilities", "embed", "encode", "plan", "search"),
    "app.service": ("Service",),
    "contracts.annotation": ("AnnotationSelection", "ExtractionSelection"),
    "contracts.block": ("Block",),
    "contracts.capability": ("CapabilitySnapshot",),
    "contracts.encode": ("EmbedRequest", "EmbedResult", "EncodeRequest", "EncodeResult"),
    "contracts.errors": ("IndxError",),
    "contracts.plan": ("Constraints", "Granularity", "PlanRequest", "PlanResult", "RoutePlan"),
    "contracts.source": ("InlineSource", "UriSource"),
    "knowledge.search": ("SearchFilters",),
    "knowledge.space": ("KnowledgeSpace",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What tab completion shows: the names above, which are not imported yet."""
    return sorted({*globals(), *__all__})
