"""Enricher: a summary of a text in its own language, and tags it coins.

Handed the full text of its unit (document, page or chunk); bounds what it reads itself with ``kit/excerpt.py``, since
only it knows whether it has a token window or a bill. One object may serve several units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from indx_core.contracts.annotation import Enrichment
from indx_core.contracts.capability import AnnotatorDescriptor


@dataclass(frozen=True, slots=True)
class Enriched:
    """A summary and tags, each part only if there is an opinion. ``cost_usd`` ``None``: unknown."""

    parts: Enrichment
    cost_usd: float | None = 0.0


@runtime_checkable
class Enricher(Protocol):
    """Writes a summary and coins tags."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        """Its id, units and device; loads no model."""
        ...

    def enrich(self, texts: Sequence[str]) -> list[Enriched]:
        """One answer per text, in order.

        Raises:
            CapabilityUnavailable: It cannot run here, or it failed.
        """
        ...
