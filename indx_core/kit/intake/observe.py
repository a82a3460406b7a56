"""An observer's answer becomes an ``Observation``: who looked, at which bytes, and what they saw.

Composes and checks; looking is the observers' (``formats/``).
"""

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import Observation
from indx_core.kit.intake.acquire import AcquiredDocument
from indx_core.kit.intake.guard import typed_errors
from indx_core.kit.intake.sniff import way_out
from indx_core.kit.registry import Registry
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed, Observer


def observe_document(acquired: AcquiredDocument, document: OpenDocument, registry: Registry) -> Observation:
    """Look at a document with the first installed observer of its media type.

    Raises:
        SourceEncrypted: It needs a password.
        SourceUnreadable: Nothing installed observes the media type, the document is damaged beyond opening, or it
            states no page.
    """
    observer = _observer_of(acquired.media_type, registry)
    with typed_errors(f"the document could not be opened by {observer.distribution}"):
        observed = observer.observe(document)
        _check_pages(observed, observer)
    return Observation(
        source_digest=document.digest,
        media_type=acquired.media_type,
        byte_count=len(document.data),
        pages=observed.pages,
        findings=observed.findings,
        properties=observed.properties,
        observer=observer.distribution,
        sniffer=acquired.sniffer,
        loader=acquired.loaded.loader,
    )


def _observer_of(media_type: str, registry: Registry) -> Observer:
    for observer in registry.observers:
        if media_type in observer.media_types:
            return observer
    message, remedy = way_out(media_type)
    raise SourceUnreadable(message, param="source", remedy=remedy)


def _check_pages(observed: Observed, observer: Observer) -> None:
    if not observed.pages:
        raise SourceUnreadable("the document has no page")
    if [page.number for page in observed.pages] != list(range(1, len(observed.pages) + 1)):
        raise SourceUnreadable(f"{observer.distribution} did not number its pages 1, 2, 3, …")
