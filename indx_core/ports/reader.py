"""Reader: turns pages into text. The expensive step, and the only one that a plan routes."""

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from indx_core.contracts.capability import CapabilityDescriptor
from indx_core.contracts.page import PageOutput
from indx_core.ports.document import OpenDocument


@runtime_checkable
class Reader(Protocol):
    """One capability of the ladder."""

    @property
    def descriptor(self) -> CapabilityDescriptor:
        """Who it is and whether it can run here; read per call, so it follows the settings. Loads no model."""
        ...

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        """Read some pages of a document.

        Yields one output per page it has an answer for, in any order, as each is ready. A page it cannot read comes
        back ``failed`` with a reason; a page left out counts as ``absent`` and descends the ladder as well.

        Args:
            document: The source; opened objects are shared through it.
            pages: 1-based numbers out of the observation.

        Raises:
            IndxError: The whole attempt failed; every page asked for descends.
        """
        ...
