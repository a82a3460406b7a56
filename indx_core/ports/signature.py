"""Signature: recognises a document, or a page of it, that an installed parser reads better than the ladder."""

from typing import Protocol, runtime_checkable

from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import SignatureMatch
from indx_core.ports.document import OpenDocument


@runtime_checkable
class Signature(Protocol):
    """Asked at plan time, only when the request turns detection on.

    Attributes:
        name: Name on matches, such as ``invoice``.
        distribution: Component name.
        media_types: What it looks at; empty means any.
        capability_id: The parser it nominates.
    """

    name: str
    distribution: str
    media_types: tuple[str, ...]
    capability_id: str

    def detect(self, document: OpenDocument, observation: Observation) -> list[SignatureMatch]:
        """Matches, document-scoped or page-scoped; empty when it recognises nothing.

        Args:
            document: The source. ``document.native_page(number)`` is a page's text as the format's own reader gives it,
                read once and kept for the readers to come; ask for few pages, since planning is to be cheap.
            observation: Of the same bytes: which pages there are, and which have a text layer to ask for.
        """
        ...
