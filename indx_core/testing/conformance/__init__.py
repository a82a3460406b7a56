"""One conformance suite per port: call the function of your port from a test, once per case worth distinguishing.

    from indx_core.testing.conformance import check_reader

    def test_the_reader_conforms() -> None:
        check_reader(MemoReader(), lambda: OpenDocument(b"...", "text/x-memo"), pages=[1, 2])

Every function runs the implementation, twice where answers must repeat, and raises ``AssertionError`` with a sentence
that says which promise of the port was broken.
"""

from indx_core.testing.conformance.annotation import (
    TRICKY_TEXTS,
    check_classifier,
    check_enricher,
    check_extractor,
    check_language_detector,
)
from indx_core.testing.conformance.embedding import check_embedder
from indx_core.testing.conformance.loading import check_lister, check_loader
from indx_core.testing.conformance.reading import check_chunker, check_observer, check_reader, check_signature

__all__ = [
    "TRICKY_TEXTS",
    "check_chunker",
    "check_classifier",
    "check_embedder",
    "check_enricher",
    "check_extractor",
    "check_language_detector",
    "check_lister",
    "check_loader",
    "check_observer",
    "check_reader",
    "check_signature",
]
