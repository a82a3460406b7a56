"""Requests and results of ``encode`` and ``embed``.

Holds the public request of an execution; what execution passes between its own steps is in ``execution/``.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from indx_core.contracts.annotation import RESERVED_METADATA_KEYS, AnnotationSelection, ExtractionSelection
from indx_core.contracts.base import Contract, canonical_json
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
        classification: Classifiers to ask.
        extraction: Entity extractors to ask.
        enrichment: Enrichers to ask.
    """

    plan: RoutePlan | None = None
    metadata: dict[str, Any] = {}
    classification: AnnotationSelection = AnnotationSelection()
    extraction: ExtractionSelection = ExtractionSelection()
    enrichment: AnnotationSelection = AnnotationSelection()

    @field_validator("metadata")
    @classmethod
    def _labels_that_travel(cls, metadata: dict[str, Any]) -> dict[str, Any]:
        reserved = sorted(RESERVED_METADATA_KEYS & metadata.keys())
        if reserved:
            raise ValueError(f"the executor writes these keys itself: {', '.join(reserved)}")
        try:
            canonical_json(metadata).encode()
        except (TypeError, ValueError):  # written as null, an infinity is a label the caller believes travelled
            raise ValueError("it holds what JSON cannot write, such as a number that is not finite") from None
        return metadata


class EncodeResult(Contract):
    """The plan that ran, the block tree, how to read its vectors, what happened, and what it used.

    Attributes:
        request_id: The caller's, as it was sent.
        document_id: ``sha256:`` of the bytes that were read.
        plan: The plan that was executed, supplied or made.
        blocks: Document first, then each page followed by its chunks; every observed page is there, unread ones with a
            reason.
        embedding_spaces: Descriptors of the spaces in the blocks' embeddings.
        trace: Every attempt, in order.
        usage: What it took.
    """

    request_id: str | None = None
    document_id: str
    plan: RoutePlan
    blocks: tuple[Block, ...]
    embedding_spaces: tuple[EmbeddingSpace, ...] = ()
    trace: ExecutionTrace
    usage: Usage


class TextInput(Contract):
    """A text query.

    Attributes:
        type: Tag of the union.
        text: The query.
    """

    type: Literal["text"] = "text"
    text: str = Field(min_length=1)


class ImageInput(Contract):
    """An image query: inline bytes, or a URI a loader resolves.

    Attributes:
        type: Tag of the union.
        source: An image, by its bytes or by a URI.
    """

    type: Literal["image"] = "image"
    source: Source


class EmbedRequest(Contract):
    """A query to place in one embedding space. There is no ladder: that space or an error.

    Attributes:
        request_id: Echoed in the answer.
        embedding_space_id: The space to place it in.
        input: A text or an image.
        data_residency: When true, an embedder of an external service is refused.
    """

    request_id: str | None = None
    embedding_space_id: str
    input: Annotated[TextInput | ImageInput, Field(discriminator="type")]
    data_residency: bool = False


class EmbedResult(Contract):
    """The query's vector and the exact public configuration of what made it.

    Attributes:
        request_id: The caller's, as it was sent.
        embedding_space: The space: dimension, metric, normalization.
        embedder: Who made the vector.
        vector: Floats, as many as the space has dimensions; of length 1 where its normalization is ``l2``.
        usage: What it took.
    """

    request_id: str | None = None
    embedding_space: EmbeddingSpace
    embedder: EmbedderDescriptor
    vector: tuple[float, ...]
    usage: Usage
