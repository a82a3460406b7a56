"""The operations as plain functions on this installation: ``indx.plan("report.pdf")``.

The same contract as HTTP and the command line; a source may also be named by path or URI, or handed over as bytes.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from indx_core.app.requests import validated
from indx_core.app.service import Service
from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.capability import CapabilitySnapshot, Device, EmbedderDescriptor, EmbedderRole, Modality
from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult
from indx_core.contracts.plan import Constraints, Granularity, PlanRequest, PlanResult, RoutePlan
from indx_core.contracts.source import InlineSource, Source, UriSource

if TYPE_CHECKING:
    from indx_core.kit.lake import Lake
    from indx_core.knowledge.search import Hit

BASELINE = "default-text"
"""The space every installation has."""


class PlanOptions(TypedDict, total=False):
    """Fields of ``PlanRequest`` but its source; models may be given as mappings with their fields."""

    request_id: str | None
    constraints: Constraints | Mapping[str, Any]
    granularities: Sequence[Granularity | str]
    embedding_space_ids: Sequence[str]
    signature_detection: bool


class EncodeOptions(PlanOptions, total=False):
    """Fields of ``EncodeRequest`` but its source."""

    plan: RoutePlan | None
    metadata: Mapping[str, Any]
    classification: AnnotationSelection | Mapping[str, Sequence[str]]
    extraction: ExtractionSelection | Mapping[str, Any]
    enrichment: AnnotationSelection | Mapping[str, Sequence[str]]


def source_of(where: str | Path | bytes | Source) -> Source:
    """A source out of a path, a URI, bytes, or a source.

    Args:
        where: A string with a scheme is a URI; any other, and a ``Path``, names a file and becomes an absolute
            ``file:`` URI.
    """
    if isinstance(where, bytes):
        return InlineSource(data=where)
    if isinstance(where, InlineSource | UriSource):
        return where
    if isinstance(where, str) and ("://" in where or where.startswith(("data:", "file:"))):
        return validated(UriSource, {"uri": where}, within="source.uri")
    return UriSource(uri=Path(where).resolve().as_uri())


def capabilities(snapshot_id: str | None = None) -> CapabilitySnapshot:
    """What is installed here, as the snapshot that plans are bound to. Loads no model.

    Args:
        snapshot_id: One that this process advertised before; ``None`` for the current one.

    Returns:
        Readers, embedding spaces and annotators, those that cannot run here with what to do about it.

    Raises:
        SnapshotNotFound: No such snapshot was advertised by this process.
        SettingsInvalid: A variable does not validate.
        DuplicateComponent: Two plugins declare the same id.
    """
    return _service().capabilities(snapshot_id)


def plan(source: str | Path | bytes | Source | PlanRequest, **options: Unpack[PlanOptions]) -> PlanResult:
    """Decide what would happen to a document, and at what price. Nothing is read and nothing is spent.

    Args:
        source: A path, a URI, bytes, or a whole ``PlanRequest``, whose fields the options are then not.
        **options: Other fields of ``PlanRequest``, such as ``constraints`` or ``signature_detection``.

    Returns:
        A route for every page, 1-based, with a reason each; US dollars, milliseconds and quality (0-1) expected of the
        whole document. A plan whose constraints cannot be met is an answer with ``status`` ``unsatisfied``.

    Raises:
        RequestInvalid: A field does not validate; ``param`` is its dotted location.
        SourceUnreadable: The bytes cannot be had or opened; its subclasses say why.
        UnsupportedMediaType: Nothing installed observes what the bytes are.
        IndxError: Any other refusal; every class is on the page of errors.
    """
    request = (
        source if isinstance(source, PlanRequest) else validated(PlanRequest, {"source": source_of(source), **options})
    )
    return _service().plan(request)


def encode(source: str | Path | bytes | Source | EncodeRequest, **options: Unpack[EncodeOptions]) -> EncodeResult:
    """Read a document into addressable blocks, vectors and a trace.

    Args:
        source: A path, a URI, bytes, or a whole ``EncodeRequest``, whose fields the options are then not.
        **options: Other fields of ``EncodeRequest``, such as ``plan``, ``embedding_space_ids`` or ``metadata``.

    Returns:
        Blocks ``document``, ``page:N`` and ``page:N/chunk:M``, counted from 1, every observed page among them; a chunk
        has a box ``[x0, y0, x1, y1]``, 0-1 from the top left of the page as displayed, or the reason it has none, and
        one vector of the space's dimension for each space asked for.

    Raises:
        PlanConflict: The supplied plan is for other bytes, another media type or another snapshot.
        CapabilityUnavailable: A page exhausted its route, or something named cannot run here.
        IndxError: Any other refusal; every class is on the page of errors.
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

    Returns:
        One vector of ``embedding_space.dimension`` floats, to be compared by the space's metric with vectors of
        documents in that space and no other.

    Raises:
        RequestInvalid: The text is empty.
        InvalidEmbeddingSpace: No such space, or no query lane for this input.
        CapabilityUnavailable: The space's embedder cannot run here.
    """
    if isinstance(text, EmbedRequest):
        return _service().embed(text)
    query = {"embedding_space_id": space, "input": {"type": "text", "text": text}}
    return _service().embed(validated(EmbedRequest, query))


def search(
    text: str,
    *,
    archive: str | Path | None = None,
    space: str | None = None,
    words_only: bool = False,
    k: int = 5,
    **filters: Any,
) -> "list[Hit]":
    """The best passages of the lake, or of a knowledge space, for a question.

    Args:
        text: The question's words.
        archive: An ``.indx`` file, or the folder it was unpacked to, to search instead of the lake.
        space: Embedding space to compare in; by default ``default-text``, in an archive the archive's own. Where there
            are no vectors of it, another one that is there; where there are none, words alone are compared.
        words_only: Compare no vectors.
        k: How many hits at most.
        **filters: What the hits must be: the fields of ``SearchFilters``, such as ``folder`` or ``languages``.

    Raises:
        RequestInvalid: The question is empty, or both a space and ``words_only`` are given.
        InvalidEmbeddingSpace: No such space here, or no vectors of it.
        CapabilityUnavailable: The space's embedder cannot run here.
        ArchiveInvalid: The archive fails a check.
    """
    from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid
    from indx_core.kit.lake import Lake
    from indx_core.knowledge import search as knowledge_search
    from indx_core.knowledge.space import KnowledgeSpace

    wanted = knowledge_search.SearchFilters(**filters)
    if not text.strip():
        raise RequestInvalid("a search needs a question", param="text")
    if words_only and space is not None:
        raise RequestInvalid("an embedding space says nothing where words only are compared", param="space")
    if archive is not None:
        held = KnowledgeSpace.load(archive)
        found = held.search(text, k=k, embedding_space=space, words_only=words_only, filters=wanted)
        return [knowledge_search.hit_of_space(each, held.metadata.get("corpus", held.root)) for each in found]
    lake = Lake.open()

    def compared(chosen: str | None) -> "list[Hit]":
        vector = None if chosen is None else embed(text, chosen).vector
        return knowledge_search.search(lake, text=text, vector=vector, space=chosen, k=k, filters=wanted)

    if words_only or space is not None:
        return compared(space)
    try:
        return compared(BASELINE)
    except InvalidEmbeddingSpace as error:
        if error.param == "vector":  # there are some, of another dimension
            raise
        return compared(_other_space(lake))  # seldom, and looked for only now: in a bucket a listing takes its time


def _other_space(lake: "Lake") -> str | None:
    """An embedding space that a lake without the baseline has; ``None`` where it has none that is placed here.

    Never one of an external service: a question goes there only where the space is named.
    """
    from indx_core.contracts.tables import VECTORS

    held = {each.name.split("/")[1] for each in lake.objects(VECTORS.name)}
    here = (each for each in capabilities().embedding_spaces if each.id in held) if held else iter(())
    return next((each.id for each in here if any(map(_places_questions_here, each.embedders))), None)


def _places_questions_here(embedder: EmbedderDescriptor) -> bool:
    takes_questions = EmbedderRole.QUERY in embedder.roles and Modality.TEXT in embedder.modalities
    return takes_questions and embedder.available and embedder.device is not Device.EXTERNAL


@lru_cache(maxsize=1)
def _service() -> Service:
    return Service()
