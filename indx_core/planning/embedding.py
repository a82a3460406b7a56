"""Whether the embedding spaces of a request can be served. Embeds nothing, and chooses no embedder for a chunk."""

from collections.abc import Iterable

from indx_core.contracts.capability import (
    CapabilitySnapshot,
    Device,
    EmbedderDescriptor,
    EmbedderRole,
    EmbeddingSpace,
    Modality,
)
from indx_core.contracts.errors import InvalidEmbeddingSpace
from indx_core.contracts.plan import Constraints
from indx_core.planning.snapshot import left_out

DOCUMENT_EMBEDDING_MODALITIES = (Modality.TEXT, Modality.IMAGE)
"""What a run produces, in the order it is preferred: text, and a rendered page where nothing could be read."""


def require_spaces(space_ids: Iterable[str], snapshot: CapabilitySnapshot) -> None:
    """Refuse a space that is not in the snapshot.

    Raises:
        InvalidEmbeddingSpace: Naming it and the spaces there are.
    """
    for space_id in space_ids:
        if snapshot.space(space_id) is None:
            known = ", ".join(space.id for space in snapshot.embedding_spaces) or "none"
            raise InvalidEmbeddingSpace(
                f"no installed embedder serves the space {space_id}; installed spaces: {known}{left_out(snapshot)}",
                param="embedding_space_ids",
            )


def unserved_lines(space_ids: Iterable[str], snapshot: CapabilitySnapshot, constraints: Constraints) -> list[str]:
    """A line for every space that no document embedder can fill, saying what would.

    Query embedders are not looked at: a space that only answers queries has nothing to search in.
    """
    spaces = (snapshot.space(space_id) for space_id in dict.fromkeys(space_ids))
    lines = (_unserved_line(space, constraints) for space in spaces if space is not None)
    return [line for line in lines if line is not None]


def _unserved_line(space: EmbeddingSpace, constraints: Constraints) -> str | None:
    lane = [each for each in space.embedders if _embeds_documents(each)]
    if not lane:
        return (
            f"embedding_space_ids: {space.id} embeds no document input this run produces "
            f"({', '.join(DOCUMENT_EMBEDDING_MODALITIES)}); name a space with a document embedder"
        )
    local = [each for each in lane if not (constraints.data_residency and each.device is Device.EXTERNAL)]
    if not local:
        names = ", ".join(each.embedder_id for each in lane)
        return (
            f"data_residency: every document embedder of {space.id} runs on an external device ({names}); "
            f"name a local space, or drop data_residency"
        )
    if not any(each.available for each in local):
        reasons = "; ".join(f"{each.embedder_id}: {each.unavailable_reason}" for each in local)
        return f"embedding_space_ids: no document embedder of {space.id} can run here; {reasons}"
    return None


def _embeds_documents(embedder: EmbedderDescriptor) -> bool:
    return EmbedderRole.DOCUMENT in embedder.roles and any(
        modality in embedder.modalities for modality in DOCUMENT_EMBEDDING_MODALITIES
    )
