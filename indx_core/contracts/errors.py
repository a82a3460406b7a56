"""Every error indx raises on purpose: type, code, HTTP status, exit code, cause and remedy, in the class.

Belongs here: the classes and the wire envelope. Does not: the mapping to a transport, which reads these attributes in
one place each (HTTP in ``app/http``, the exit code in ``app/cli``, Dagster in ``resources/failures.py``).
"""

from enum import StrEnum
from typing import Any, ClassVar, Self

from indx_core.contracts.base import Contract


class Cause(StrEnum):
    """The one question failures are sorted by: would a rerun change it?"""

    PERMANENT = "permanent"
    """No: encrypted, corrupt, forbidden, too large, unsupported. Recorded as a refusal, never retried."""
    TRANSIENT = "transient"
    """Yes, soon: throttled, 5xx, network. Retried with backoff."""
    DEPLOYMENT = "deployment"
    """Only after an operator acts: a bad setting, a missing model. The run fails before it spends anything."""


class ErrorBody(Contract):
    """What a caller reads of a failure. ``param`` is the dotted location of the field at fault."""

    type: str
    code: str | None = None
    message: str
    param: str | None = None
    request_id: str | None = None


class ErrorEnvelope(Contract):
    """The one shape of every failure on the wire."""

    error: ErrorBody


class IndxError(Exception):
    """Base of all typed errors.

    Attributes:
        type: Family of the error on the wire.
        code: Machine-readable reason, or ``None`` where the type says it all.
        http_status: Status the HTTP transport answers with.
        exit_code: Exit status of the ``indx`` command.
        cause: Whether a rerun would change it.
        remedy: What the reader of the message can do, one sentence.
        message: What happened. Never holds a secret, an internal address or a resolved path.
        param: Dotted location of the field at fault, such as ``source.uri.uri``.
        details: Structured facts for tables and metadata, JSON-ready.
    """

    type: ClassVar[str] = "internal_error"
    code: ClassVar[str | None] = None
    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    cause: ClassVar[Cause] = Cause.PERMANENT
    remedy: str = ""

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        remedy: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        self.details = details or {}
        if remedy is not None:
            self.remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross from worker processes whole: message, param, remedy and details."""
        return (_rebuild, (type(self), self.message, self.param, self.remedy, self.details))

    def envelope(self, request_id: str | None = None) -> ErrorEnvelope:
        """The wire form, with the caller's own ``request_id`` when the request carried one."""
        return ErrorEnvelope(
            error=ErrorBody(
                type=self.type, code=self.code, message=self.message, param=self.param, request_id=request_id
            )
        )

    @classmethod
    def about(cls, subject: str, reason: object, **kwargs: Any) -> Self:
        """An error whose message reads ``<subject>: <reason>``."""
        return cls(f"{subject}: {reason}", **kwargs)


def _rebuild(cls: type[IndxError], message: str, param: str | None, remedy: str, details: dict[str, Any]) -> IndxError:
    return cls(message, param=param, remedy=remedy, details=details)


class InternalError(IndxError):
    """Something nobody typed. The message on the wire is generic; the log line has the rest."""

    remedy = "report this with the document and the log line"


# -- requests ---------------------------------------------------------------------------------------------------------


class RequestInvalid(IndxError):
    """A request that does not validate."""

    type = "invalid_request"
    code = "validation_error"
    http_status = 422
    exit_code = 2
    remedy = "correct the field named in param"


class UnsupportedGranularity(IndxError):
    """A block granularity nothing installed produces."""

    type = "unsupported_granularity"
    code = "unsupported_granularity"
    http_status = 422
    exit_code = 2
    remedy = "ask for document, page or chunk"


class UnknownAnnotator(IndxError):
    """Base of the three refusals of an annotation id that no installed provider declares."""

    type = "invalid_annotation"
    http_status = 422
    exit_code = 2
    remedy = "name an installed id; `indx capabilities` lists them"


class UnknownClassifier(UnknownAnnotator):
    """A classifier id nothing installed declares."""

    code = "unknown_classifier"


class UnknownExtractor(UnknownAnnotator):
    """An entity extractor id nothing installed declares."""

    code = "unknown_extractor"


class UnknownEnricher(UnknownAnnotator):
    """An enricher id nothing installed declares."""

    code = "unknown_enricher"


class UnknownLanguage(IndxError):
    """Lanes are named for a language that no installed detector finds: they would never run."""

    type = "invalid_annotation"
    code = "unknown_language"
    http_status = 422
    exit_code = 2
    remedy = "`indx capabilities` lists the languages that are found; INDX_LANGUAGE_CANDIDATES adds to them"


class DataResidency(IndxError):
    """Something named in the request would send text to an external service under ``data_residency``."""

    type = "invalid_annotation"
    code = "data_residency"
    http_status = 422
    exit_code = 2
    remedy = "name a local implementation or drop the data_residency constraint"


class GranularityRequired(IndxError):
    """A chunk-level annotation in a request that asks for no chunks."""

    type = "invalid_annotation"
    code = "granularity_required"
    http_status = 422
    exit_code = 2
    remedy = "add chunk to granularities"


class InvalidEmbeddingSpace(IndxError):
    """An embedding space that is not in the snapshot, or has no query embedder for the input's modality."""

    type = "invalid_embedding_space"
    code = "unknown_embedding_space"
    http_status = 422
    exit_code = 2
    remedy = "name a space and a modality that `indx capabilities` lists"


class ModalityUnsupported(InvalidEmbeddingSpace):
    """A space that exists and embeds no input of this modality."""

    code = "unsupported_modality"


# -- sources ----------------------------------------------------------------------------------------------------------


class UnsupportedSource(IndxError):
    """A URI scheme that no installed and enabled loader resolves."""

    type = "unsupported_media_type"
    code = "unsupported_source"
    http_status = 415
    exit_code = 3
    remedy = "install a loader for the scheme, or enable it in INDX_URI_SCHEMES"


class UnsupportedMediaType(IndxError):
    """A media type no installed capability reads. Distinct from ``unsupported_source`` by having no code."""

    type = "unsupported_media_type"
    http_status = 415
    exit_code = 3
    remedy = "convert the file to a readable type; `indx capabilities` lists them"


class SourceUnreadable(IndxError):
    """Bytes that did not arrive, or that no observer could open as what they claim to be."""

    type = "invalid_source"
    code = "source_unreadable"
    http_status = 422
    exit_code = 3
    remedy = "check that the file opens in its own program"


class SourceTemporarilyUnreadable(SourceUnreadable):
    """A source that may arrive on the next attempt: throttled, a 5xx, a dropped connection."""

    cause = Cause.TRANSIENT
    remedy = "try again later"


class SourceEncrypted(IndxError):
    """A source that needs a password nobody gave."""

    type = "invalid_source"
    code = "source_encrypted"
    http_status = 422
    exit_code = 3
    remedy = "remove the password, or supply an unprotected copy"


class SourceForbidden(IndxError):
    """A destination that a loader's guard refuses to fetch. The resolved target is only in the server's log."""

    type = "invalid_source"
    code = "source_forbidden"
    http_status = 422
    exit_code = 3
    remedy = "extend the allowlist variable that the message names"


class InputTooLarge(IndxError):
    """Decoded source bytes beyond ``INDX_MAX_INPUT_BYTES``."""

    type = "input_too_large"
    code = "input_too_large"
    http_status = 413
    exit_code = 3
    remedy = "raise INDX_MAX_INPUT_BYTES or split the file"


# -- plans and execution ----------------------------------------------------------------------------------------------


class SnapshotNotFound(IndxError):
    """A pinned capability snapshot that is not retained."""

    type = "not_found"
    code = "snapshot_not_found"
    http_status = 404
    exit_code = 4
    remedy = "ask for the current snapshot without an id"


class PlanConflict(IndxError):
    """A supplied plan that does not match the source or the capability snapshot. Nothing is re-planned silently.

    ``details["mismatches"]`` lists every differing field as ``{"field", "planned", "actual"}``.
    """

    type = "plan_conflict"
    code = "plan_conflict"
    http_status = 409
    exit_code = 4
    remedy = "plan again (in Dagster: re-materialize plan), or restore what the plan was made for"


class CapabilityUnavailable(IndxError):
    """Every capability a route declares failed, or one that was named cannot run."""

    type = "capability_unavailable"
    code = "capability_unavailable"
    http_status = 503
    exit_code = 5
    remedy = "allow fallbacks, or install and configure the capability named"


class CapabilityTemporarilyUnavailable(CapabilityUnavailable):
    """The same, where a vendor may answer the next attempt."""

    cause = Cause.TRANSIENT
    remedy = "try again later"


class RequestTimeout(IndxError):
    """The deadline passed. Work stops; it never falls back to another route because of it."""

    type = "timeout"
    code = "request_timeout"
    http_status = 504
    exit_code = 6
    cause = Cause.TRANSIENT
    remedy = "raise the deadline (INDX_REQUEST_TIMEOUT_SECONDS) or send a smaller document"


class ClientDisconnected(RequestTimeout):
    """The caller hung up before the work finished."""

    code = "client_disconnected"
    remedy = "send the request again"


class NotImplementedContract(IndxError):
    """A contract that nothing installed implements. For plugins that take a part of one: the core raises it nowhere."""

    type = "not_implemented"
    code = "not_implemented"
    http_status = 501
    exit_code = 7
    remedy = "leave out what needs it, or install a plugin that implements it"


# -- isolation --------------------------------------------------------------------------------------------------------


class WorkerFailure(IndxError):
    """Base of what costs a worker process: it costs exactly the document it was reading."""

    type = "worker_failure"
    http_status = 503
    exit_code = 5


class WorkerCrashed(WorkerFailure):
    """The process died under the document: a fault in native code, or a kill from outside."""

    code = "worker_crashed"
    remedy = "look at the file with `indx encode`; a repeated crash is a defect of the reader named"


class DocumentTimeout(WorkerFailure):
    """The wall clock per document or per page ran out; the worker was killed."""

    code = "document_timeout"
    remedy = "raise INDX_DOCUMENT_TIMEOUT_SECONDS if the document is worth it"


class MemoryExceeded(WorkerFailure):
    """The worker outgrew its memory limit."""

    code = "memory_exceeded"
    remedy = "raise INDX_WORKER_MEMORY_BYTES if the document is worth it"


# -- deployment -------------------------------------------------------------------------------------------------------


class SettingsInvalid(IndxError):
    """An ``INDX_*`` variable that does not validate. The message names the variable and never shows the value."""

    type = "invalid_settings"
    code = "invalid_settings"
    http_status = 500
    exit_code = 8
    cause = Cause.DEPLOYMENT
    remedy = "correct the variable named"


class ConfigInvalid(IndxError):
    """An ``indx.toml`` that does not parse or validate."""

    type = "invalid_config"
    code = "invalid_config"
    http_status = 500
    exit_code = 8
    cause = Cause.DEPLOYMENT
    remedy = "correct the key named; docs/configuration.md lists them all"


class DuplicateComponent(IndxError):
    """Two providers that declare the same id. Refused at start-up, naming both owners."""

    type = "invalid_settings"
    code = "duplicate_component"
    http_status = 500
    exit_code = 8
    cause = Cause.DEPLOYMENT
    remedy = "uninstall one of the two distributions named"


class LakeUnavailable(IndxError):
    """The lake's store does not answer, or refuses. Nothing was replaced: a write is whole or did not happen."""

    type = "lake_unavailable"
    code = "lake_unavailable"
    http_status = 503
    exit_code = 5
    cause = Cause.TRANSIENT
    remedy = "check INDX_LAKE, its endpoint and its credentials, then run again"


class LakeObjectInvalid(IndxError):
    """An object of the lake that is not the Parquet table its name promises."""

    type = "invalid_lake"
    code = "invalid_lake_object"
    http_status = 500
    exit_code = 3
    remedy = "ingest the documents again: `indx ingest --force PATH` writes every object anew"


class LakeTooNew(IndxError):
    """A lake of a later schema than this program knows. Writing to it would drop columns, so nothing is touched."""

    type = "invalid_lake"
    code = "lake_too_new"
    http_status = 500
    exit_code = 8
    cause = Cause.DEPLOYMENT
    remedy = "upgrade this installation to the release that wrote the lake"


class ArchiveInvalid(IndxError):
    """A knowledge-space archive that fails its checks on load."""

    type = "invalid_archive"
    code = "invalid_archive"
    http_status = 422
    exit_code = 3
    remedy = "build the archive again from its source"
