"""The parser of every installation: one file planned, read, cut and annotated as ``indx encode`` does it.

Annotators run where ``indx.toml`` names them; a language is told where a detector is installed. Embeds nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from indx_core.app.encoding import Encoding
from indx_core.app.service import Service
from indx_core.contracts.block import LINKS as PAGE_LINKS
from indx_core.contracts.block import Block, BlockKind, chunk_id
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.knowledge import ParsedDoc, Source
from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import Granularity
from indx_core.contracts.source import InlineSource
from indx_core.execution.annotate import Annotations
from indx_core.execution.chunk import PlacedChunk
from indx_core.kit.deadline import Deadline
from indx_core.kit.intake import acquire, open_document
from indx_core.knowledge.space import ids
from indx_core.knowledge.space.annotated import WHOLE, Annotated, Name, given
from indx_core.knowledge.space.declared import declared_day
from indx_core.knowledge.space.related import LINKS
from indx_core.planning.refusals import validate_request


class IndxParser:
    """Fits the slot ``parser``.

    Pictures are given only where they are asked for: those of a thousand scanned pages are a gigabyte.
    """

    def __init__(self, service: Service, options: IngestOptions, *, pictures: bool = False) -> None:
        self._service, self._options, self._pictures = service, options, pictures

    def parse(self, path: str, data: bytes) -> ParsedDoc:
        request = EncodeRequest(
            source=InlineSource(data=data, filename=path.rpartition("/")[2]),
            constraints=self._options.constraints,
            signature_detection=self._options.signature_detection,
            classification=self._options.classification,
            extraction=self._options.extraction,
            enrichment=self._options.enrichment,
            granularities=(Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK),
            embedding_space_ids=(),
        )
        installation = self._service.installation
        validate_request(request, installation.snapshot)
        acquired = acquire(request.source, installation.registry)
        with open_document(acquired, installation.registry) as document:
            run = Encoding(request, acquired, document, installation, Deadline())
            blocks = run.execute().blocks
        whole = next(block for block in blocks if block.kind is BlockKind.DOCUMENT)
        pages = [block for block in blocks if block.kind is BlockKind.PAGE]
        annotated = _annotated(run.annotations)
        about = annotated.document(acquired.media_type)
        return ParsedDoc(
            source=Source(path=path, folder=ids.folder(path), type=about.pop("type")),
            text="\f".join(page.text or "" for page in pages),
            blocks=[_chunk(block, annotated) for block in blocks if block.kind is BlockKind.CHUNK],
            images=list(_images(run.pieces.chunks)) if self._pictures else [],
            metadata={
                "media_type": acquired.media_type,
                "source_digest": whole.provenance.source_digest,
                "byte_count": len(data),
                "page_count": len(pages),
                "pages": _statuses(pages),
                **_declared(run.observation),
                **_links(pages),
                **annotated.document_metadata(),
                **given(**about),
            },
        )


def _annotated(found: Annotations) -> Annotated:
    """What the annotators said, as a space takes it."""
    said = Annotated(
        labels={
            block: {facet: labels[0].label for facet, (_who, labels) in facets.items() if labels}
            for block, facets in found.labels.items()
        },
        names={
            block: {
                Name(span.label, span.surface, span.normalized): None for _who, spans in of.values() for span in spans
            }
            for block, of in found.entities.items()
        },
        summaries={block: summary for block, (_who, summary) in found.summaries.items()},
        tags={block: [tag.label for tag in tags] for block, (_who, tags) in found.tags.items()},
    )
    _who, scores = found.languages.get(WHOLE, ("", ()))
    for score in scores:
        said.say(score.language, score.confidence)
    return said


def _chunk(block: Block, annotated: Annotated) -> dict[str, Any]:
    page, text = int(block.id.removeprefix("page:").partition("/")[0]), block.text or ""
    place = {"box": list(block.bbox)} if block.bbox else {"box_reason": str(block.bbox_reason)}
    return {
        "text": text,
        "block_id": block.id,
        "page": page,
        **place,
        "capability_id": block.provenance.capability_id,
        **annotated.chunk_metadata(block.id, page, text),
    }


def _images(chunks: Iterable[PlacedChunk]) -> Iterable[dict[str, Any]]:
    """Pictures that were cut, as PNG, by the block they stand for."""
    for chunk in chunks:
        if chunk.piece.image is not None:
            yield {"block_id": chunk_id(chunk.page, chunk.index), "page": chunk.page, "data": chunk.piece.image}


def _statuses(pages: Sequence[Block]) -> dict[str, int]:
    statuses = [page.status.value for page in pages]
    return {status: statuses.count(status) for status in sorted(set(statuses))}


def _declared(observation: Observation | None) -> dict[str, Any]:
    """What the format declares of itself."""
    properties = observation.properties if observation else {}
    found = {"title": properties.get("title"), "author": properties.get("author"), "properties": properties}
    return {name: value for name, value in {**found, "date": declared_day(properties)}.items() if value}


def _links(pages: Sequence[Block]) -> dict[str, Any]:
    """The links of all pages, where there are any."""
    found = [
        {**link, "page": number}
        for number, page in enumerate(pages, start=1)
        for link in page.metadata.get(PAGE_LINKS, ())
    ]
    return {LINKS: found} if found else {}
