"""From a source to an observed document: fetch the bytes, name their media type, look at the pages.

Belongs here: scheme dispatch and the operator's limits above every loader, the order in which media types are
believed, and the turning of whatever a plugin raises into a typed error. Does not: fetching itself (``loaders/``),
recognising one format (``formats/``), or deciding a route.
"""

from indx_core.kit.intake.acquire import AcquiredDocument, acquire, open_document
from indx_core.kit.intake.observe import observe_document
from indx_core.kit.intake.resolve import enabled_schemes, list_root, loader_for, locate, resolvable

__all__ = [
    "AcquiredDocument",
    "acquire",
    "enabled_schemes",
    "list_root",
    "loader_for",
    "locate",
    "observe_document",
    "open_document",
    "resolvable",
]
