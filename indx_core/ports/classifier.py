"""Classifier: says what a text is, as facets of ranked labels.

Handed the full text of its unit (document, page or chunk); bounds what it reads itself with ``kit/excerpt.py``, since
only it knows whether it has a token window or a bill. One object may serve several units.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from indx_core.contracts.annotation import Label
from indx_core.contracts.capability import AnnotatorDescriptor


@dataclass(frozen=True, slots=True)
class Classified:
    """Facets of ranked labels, highest first; one without an opinion is left out. ``cost_usd`` ``None``: unknown."""

    facets: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    cost_usd: float | None = 0.0


@runtime_checkable
class Classifier(Protocol):
    """Says what a text is."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        """Its id, units and device; loads no model."""
        ...

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        """One answer per text, in order. Batched, so that a model is called once for many chunks.

        Raises:
            CapabilityUnavailable: It cannot run here, or it failed.
        """
        ...
