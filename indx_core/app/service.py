"""The four operations: capabilities, plan, encode, embed. One implementation behind Python, the command line and HTTP.

Belongs here: composing intake, planning and execution for one document. Does not: transports, and corpora
(``app/ingest``).
"""

import time

from indx_core.app.installation import Installation
from indx_core.app.planned import plan_components, planned
from indx_core.contracts.capability import CapabilitySnapshot, Modality
from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult, ImageInput, TextInput
from indx_core.contracts.errors import DataResidency, IndxError, SnapshotNotFound
from indx_core.contracts.plan import PlanRequest, PlanResult
from indx_core.contracts.trace import Usage
from indx_core.kit.deadline import Deadline
from indx_core.kit.intake import acquire, open_document
from indx_core.planning.refusals import validate_request


class Service:
    """The operations of one installation.

    Thread-safe as far as readers and embedders are: it holds no state but the inventory and the snapshots it has
    advertised.
    """

    def __init__(self, installation: Installation | None = None) -> None:
        """Args: ``installation`` in the place of what is installed here, for tests and for embedding indx."""
        self._fixed = installation
        self._retained: dict[str, CapabilitySnapshot] = {}

    @property
    def installation(self) -> Installation:
        """The inventory in force: taken per call, so that a changed setting needs no restart."""
        return self._fixed or Installation.current()

    def capabilities(self, snapshot_id: str | None = None) -> CapabilitySnapshot:
        """The current snapshot, or one that this service advertised before.

        Raises:
            SnapshotNotFound: It was never advertised here, or is no longer retained.
        """
        current = self.installation.snapshot
        self._retained[current.snapshot_id] = current
        if snapshot_id is None:
            return current
        if snapshot_id not in self._retained:
            raise SnapshotNotFound(f"snapshot {snapshot_id} is not retained", param="snapshot_id")
        return self._retained[snapshot_id]

    def plan(self, request: PlanRequest, deadline: Deadline | None = None) -> PlanResult:
        """Decide what would happen to a document and at what price; nothing is read.

        Raises:
            IndxError: A typed refusal: of the request, the source, or the media type.
        """
        installation, deadline = self.installation, deadline or Deadline()
        validate_request(request, installation.snapshot)
        acquired = acquire(request.source, installation.registry)
        deadline.check()
        with open_document(acquired, installation.registry) as document:
            observation, plan = planned(document, acquired, request, installation)
        return PlanResult(plan=plan, components=plan_components(observation))

    def encode(self, request: EncodeRequest, deadline: Deadline | None = None) -> EncodeResult:
        """Execute a supplied plan exactly, or make one first and execute that.

        An unsatisfied plan is reported, not raised: failed blocks and a failed trace that name the constraint.

        Raises:
            PlanConflict: The supplied plan is for another source, media type or snapshot.
            CapabilityUnavailable: A page exhausted its route.
            IndxError: Any other typed refusal.
        """
        from indx_core.app.encoding import Encoding

        installation, deadline = self.installation, deadline or Deadline()
        validate_request(request, installation.snapshot)
        started, cpu = time.perf_counter(), time.process_time()
        acquired = acquire(request.source, installation.registry)
        deadline.check()
        with open_document(acquired, installation.registry) as document:
            run = Encoding(request, acquired, document, installation, deadline)
            result = run.execute()
        latency, cpu_ms = round((time.perf_counter() - started) * 1000), round((time.process_time() - cpu) * 1000)
        usage = result.usage.model_copy(update={"latency_ms": latency, "cpu_ms": cpu_ms})
        return result.model_copy(update={"usage": usage})

    def embed(self, request: EmbedRequest, deadline: Deadline | None = None) -> EmbedResult:
        """Place a query in one embedding space.

        Raises:
            InvalidEmbeddingSpace: No such space, or none of its embedders takes this input as a query. Refused before
                an image is fetched, as the next.
            DataResidency: The embedder is external and the request forbids it.
            CapabilityUnavailable: It is advertised and cannot run, or failed.
            IndxError: Any other typed refusal of an image; ``param`` is its place in this request.
        """
        from indx_core.execution.embed import embed_query, named_space, query_embedder

        installation = self.installation
        started = time.perf_counter()
        space = named_space(request.embedding_space_id, installation.snapshot.embedding_spaces)
        query_embedder(space, Modality(request.input.type), installation.registry)
        if request.data_residency and any(e.device.value == "external" for e in space.embedders):
            raise DataResidency(f"space {space.id} is computed by an external service", param="embedding_space_id")
        if isinstance(request.input, TextInput):
            query: str | bytes = request.input.text
        else:
            query = _image(request.input, installation)
        (deadline or Deadline()).check()
        embedder, answer = embed_query(space, query, installation.registry)
        size = len(query.encode() if isinstance(query, str) else query)
        return EmbedResult(
            request_id=request.request_id,
            embedding_space=space,
            embedder=embedder.descriptor,
            vector=tuple(answer.vectors[0].tolist()),
            usage=Usage(
                bytes=size,
                pages=0,
                cost_usd=answer.cost_usd or 0.0,
                cost_known=answer.cost_usd is not None,
                latency_ms=round((time.perf_counter() - started) * 1000),
            ),
        )


def _image(query: ImageInput, installation: Installation) -> bytes:
    try:
        return acquire(query.source, installation.registry).loaded.data
    except IndxError as error:
        if error.param is not None:  # as it is in a request whose source stands at the top
            error.param = f"input.image.{error.param}"
        raise
