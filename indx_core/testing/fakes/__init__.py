"""A small working fake of every port, scripted from its constructor, and a registry made of them.

Fakes, not mocks: each one satisfies the conformance suite of its port, and a test asserts on what the system did rather
than on what it called. What they hold in memory is public, so a test may look.
"""

from indx_core.kit.registry import Contribution, Registry, build
from indx_core.testing.fakes.annotation import FakeClassifier, FakeEnricher, FakeExtractor, FakeLanguageDetector
from indx_core.testing.fakes.embedding import FakeEmbedder
from indx_core.testing.fakes.reading import (
    MEDIA_TYPE,
    FakeChunker,
    FakeLoader,
    FakeObserver,
    FakeReader,
    FakeSignature,
    fake_document,
)

__all__ = [
    "MEDIA_TYPE",
    "FakeChunker",
    "FakeClassifier",
    "FakeEmbedder",
    "FakeEnricher",
    "FakeExtractor",
    "FakeLanguageDetector",
    "FakeLoader",
    "FakeObserver",
    "FakeReader",
    "FakeSignature",
    "fake_document",
    "fake_registry",
]


def fake_registry(*contributions: Contribution) -> Registry:
    """A registry of these contributions; of one fake per reading port when none is given."""
    default = Contribution(
        loaders=(FakeLoader(),), observers=(FakeObserver(),), readers=(FakeReader(),), chunkers=(FakeChunker(),)
    )
    return build((f"fake-{index}", added) for index, added in enumerate(contributions or (default,)))
