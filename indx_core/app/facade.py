"""The operations as plain functions on this installation: ``indx.plan("report.pdf")``.

The same contract as HTTP and the command line; a source may also be named by path or URI, or handed over as bytes.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from indx_core.app.requests import validated
from indx_core.app.service import Service
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult
from indx_core.contracts.plan import PlanRequest, PlanResult
from indx_core.contracts.source import InlineSource, Source, UriSource


def source_of(where: str | Path | bytes | Source) -> Source:
    """A source out of a path, a URI, bytes, or a source.

    A string with a scheme is a URI; any other names a file and becomes an absolute ``file:`` URI.
    """
    if isinstance(where, bytes):
        return InlineSource(data=where)
    if isinstance(where, InlineSource | UriSource):
        return where
    if isinstance(where, str) and ("://" in where or where.startswith(("data:", "file:"))):
        return UriSource(uri=where)
    return UriSource(uri=Path(where).resolve().as_uri())


def capabilities(snapshot_id: str | None = None) -> CapabilitySnapshot:
    """What is installed here, as the snapshot that plans are bound to. See ``Service.capabilities``."""
    return _service().capabilities(snapshot_id)


def plan(source: str | Path | bytes | Source | PlanRequest, **options: Any) -> PlanResult:
    """Decide what would happen to a document, and at what price.

    Args:
        source: A path, a URI, bytes, or a whole ``PlanRequest``.
        **options: Other fields of ``PlanRequest``, such as ``constraints`` or ``signature_detection``.

    Raises:
        IndxError: A typed refusal, see ``contracts/errors.py``.
    """
    request = (
        source if isinstance(source, PlanRequest) else validated(PlanRequest, {"source": source_of(source), **options})
    )
    return _service().plan(request)


def encode(source: str | Path | bytes | Source | EncodeRequest, **options: Any) -> EncodeResult:
    """Read a document into addressable blocks, vectors and a trace.

    Args:
        source: A path, a URI, bytes, or a whole ``EncodeRequest``.
        **options: Other fields of ``EncodeRequest``, such as ``plan``, ``embedding_space_ids`` or ``metadata``.

    Raises:
        IndxError: A typed refusal, see ``contracts/errors.py``.
    """
    request = (
        source
        if isinstance(source, EncodeRequest)
        else validated(EncodeRequest, {"source": source_of(source), **options})
    )
    return _service().encode(request)


def embed(text: str | EmbedRequest, space: str = "default-text") -> EmbedResult:
    """Place a query in an embedding space.

    Args:
        text: The query, or a whole ``EmbedRequest`` (which may carry an image).
        space: Embedding space id.

    Raises:
        InvalidEmbeddingSpace: No such space, or no query lane for this input.
        CapabilityUnavailable: The space's embedder cannot run here.
    """
    if isinstance(text, EmbedRequest):
        return _service().embed(text)
    query = {"embedding_space_id": space, "input": {"type": "text", "text": text}}
    return _service().embed(validated(EmbedRequest, query))


@lru_cache(maxsize=1)
def _service() -> Service:
    return Service()
