"""What a corpus names is held against what is installed, before a run spends anything.

A misspelt annotator or space is the deployment's fault, not a document's: it would meet every document alike.
"""

from collections.abc import Iterable

from indx_core.contracts.capability import CapabilitySnapshot, Device, EmbedderRole, EmbeddingSpace
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import ConfigInvalid, IndxError
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.source import InlineSource
from indx_core.planning.refusals import validate_request


def require_installed(options: Iterable[IngestOptions], snapshot: CapabilitySnapshot) -> None:
    """Refuse options that no document could be processed under.

    Raises:
        ConfigInvalid: A space, chunker or annotator that is not installed, or an external annotator under
            ``data_residency``: refused before any text leaves. Names the key of ``indx.toml``.
    """
    for each in options:
        request = EncodeRequest(
            source=InlineSource(data=b""),
            constraints=each.constraints,
            embedding_space_ids=each.embedding_spaces,
            classification=each.classification,
            extraction=each.extraction,
            enrichment=each.enrichment,
        )
        try:
            validate_request(request, snapshot)
        except IndxError as error:
            key = (error.param or "").replace("embedding_space_ids", "embedding_spaces")
            raise ConfigInvalid(f"ingest.{key}: {error.message}", remedy=error.remedy) from None
        for space_id in each.embedding_spaces:
            _require_usable(snapshot.space(space_id), each)
        unknown = sorted(set(each.chunkers) - set(snapshot.chunkers))
        if unknown:
            installed = ", ".join(snapshot.chunkers)
            raise ConfigInvalid(
                f"ingest.chunkers: nothing installed is called {', '.join(unknown)}; there are: {installed}"
            )


def _require_usable(space: EmbeddingSpace | None, options: IngestOptions) -> None:
    """Refuse a space that would leave every document of the corpus unsatisfied."""
    assert space is not None, "validate_request refuses a space that is not in the snapshot"
    lanes = [each for each in space.embedders if EmbedderRole.DOCUMENT in each.roles]
    if options.constraints.data_residency:
        lanes = [each for each in lanes if each.device is not Device.EXTERNAL]
    if any(each.available for each in lanes):
        return
    reasons = "; ".join(each.unavailable_reason for each in lanes if each.unavailable_reason)
    reason = reasons or "none of its embedders may see documents under data_residency"
    raise ConfigInvalid(f"ingest.embedding_spaces: {space.id} cannot embed documents here: {reason}")
