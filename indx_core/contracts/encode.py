"""Requests and results of ``encode`` and ``embed``.

Holds the public request of an execution; what execution passes between its own steps is in ``execution/``.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from indx_core.contracts.annotation import RESERVED_METADATA_KEYS, AnnotationSelection, ExtractionSelection
from indx_core.contracts.base import Contract
from indx_core.contracts.block import Block
from indx_core.contracts.capability import EmbedderDescriptor, EmbeddingSpace
from indx_core.contracts.plan import PlanRequest, RoutePlan
from indx_core.contracts.source import Source
from indx_core.contracts.trace import ExecutionTrace, Usage


class EncodeRequest(PlanRequest):
    """What ``encode`` is asked.

    Attributes:
        plan: A plan to replay exactly; without it one is made first.
        metadata: The caller's own labels, carried onto the document block and enforced nowhere.
    """

    plan: RoutePlan | None = None
    metadata: dict[str, Any] = {}
    classification: AnnotationSelection = AnnotationSelection()
    extraction: ExtractionSelection = ExtractionSelection()
    enrichment: AnnotationSelection = AnnotationSelection()

    @field_validator("metadata")
    @classmethod
    def _no_reserved_keys(cls, metadata: dict[str, Any]) -> dict[str, Any]:
        reserved = sorted(RESERVED_METADATA_KEYS & metadata.keys())
        if reserved:
            raise ValueError(f"the executor writes these keys itself: {', '.join(reserved)}")
        return metadata


class EncodeResult(Contract):
    """The plan that ran, the block tree, how to read its vectors, what happened, and what it used."""

    request_id: str | None = None
    document_id: str
    plan: RoutePlan
    blocks: tuple[Block, ...]
    embedding_spaces: tuple[EmbeddingSpace, ...] = ()
    trace: ExecutionTrace
    usage: Usage


class TextInput(Contract):
    """A text query."""

    type: Literal["text"] = "text"
    text: str = Field(min_length=1)


class ImageInput(Contract):
    """An image query: inline bytes, or a URI a loader resolves."""

    type: Literal["image"] = "image"
    source: Source


class EmbedRequest(Contract):
    """A query to place in one embedding space. There is no ladder: that space or an error."""

    request_id: str | None = None
    embedding_space_id: str
    input: Annotated[TextInput | ImageInput, Field(discriminator="type")]
    data_residency: bool = False


class EmbedResult(Contract):
    """The query's vector and the exact public configuration of what made it."""

    request_id: str | None = None
    embedding_space: EmbeddingSpace
    embedder: EmbedderDescriptor
    vector: tuple[float, ...]
    usage: Usage
