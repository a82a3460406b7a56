"""The part of a request that a plan depends on. Its source is the observation's by the time anything is decided."""

from typing import Self

from indx_core.contracts.base import Contract
from indx_core.contracts.plan import Constraints, Granularity, PlanRequest


class RequestParts(Contract):
    """A ``PlanRequest`` without its source: a batch over a corpus holds one for all of its documents.

    Attributes:
        constraints: What the caller's business allows.
        granularities: Block scopes asked for.
        embedding_space_ids: Spaces every chunk is embedded in.
        signature_detection: Whether installed signatures are asked.
        request_id: The caller's own id; echoed, and not part of ``plan_id``.
    """

    constraints: Constraints = Constraints()
    granularities: tuple[Granularity, ...] = (Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK)
    embedding_space_ids: tuple[str, ...] = ()
    signature_detection: bool = False
    request_id: str | None = None

    @classmethod
    def of(cls, request: PlanRequest) -> Self:
        """The parts of a plan or encode request."""
        return cls(
            constraints=request.constraints,
            granularities=request.granularities,
            embedding_space_ids=request.embedding_space_ids,
            signature_detection=request.signature_detection,
            request_id=request.request_id,
        )
