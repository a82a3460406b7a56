"""Entity extractor: finds the names in a text and says where they are.

Handed the full text of its unit (document, page or chunk); bounds what it reads itself with ``kit/excerpt.py``, since
only it knows whether it has a token window or a bill. One object may serve several units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from indx_core.contracts.annotation import EntitySpan
from indx_core.contracts.capability import AnnotatorDescriptor


@dataclass(frozen=True, slots=True)
class Extracted:
    """Entity spans in text order. ``cost_usd`` ``None``: unknown."""

    spans: tuple[EntitySpan, ...] = ()
    cost_usd: float | None = 0.0


@runtime_checkable
class EntityExtractor(Protocol):
    """Finds the names in a text and says where they are."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        """Its id, units and device; loads no model."""
        ...

    def extract(self, texts: Sequence[str]) -> list[Extracted]:
        """One answer per text, in order; every span satisfies ``text[start:end] == surface``.

        Raises:
            CapabilityUnavailable: It cannot run here, or it failed.
        """
        ...
