"""What a corpus names is held against what is installed, before a run spends anything.

A misspelt annotator or space is the deployment's fault, not a document's: it would meet every document alike.
"""

from collections.abc import Iterable

from indx_core.contracts.capability import CapabilitySnapshot
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
            raise ConfigInvalid(f"ingest.{error.param}: {error.message}", remedy=error.remedy) from None
        unknown = sorted(set(each.chunkers) - set(snapshot.chunkers))
        if unknown:
            installed = ", ".join(snapshot.chunkers)
            raise ConfigInvalid(
                f"ingest.chunkers: nothing installed is called {', '.join(unknown)}; there are: {installed}"
            )
