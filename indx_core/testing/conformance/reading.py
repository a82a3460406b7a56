"""Suites of what handles a document's pages: observer, reader, chunker, signature."""

from collections.abc import Callable, Sequence

from indx_core.contracts.annotation import RESERVED_METADATA_KEYS
from indx_core.contracts.capability import CapabilityDescriptor
from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.contracts.observation import Finding, Observation, PageObservation
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.contracts.plan import SignatureMatch
from indx_core.ports.chunker import Chunker
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observer
from indx_core.ports.reader import Reader
from indx_core.ports.signature import Signature
from indx_core.testing.conformance.expect import (
    expect,
    expect_box,
    expect_confidence,
    expect_cost,
    expect_media_types,
    expect_name,
    expect_port,
    expect_twice,
    expect_typed,
)

DocumentFactory = Callable[[], OpenDocument]
"""Makes a fresh handle on the same bytes, so that nothing is shared between two calls that must agree."""


def check_observer(
    observer: Observer, document: DocumentFactory, pages: int, unreadable: DocumentFactory | None = None
) -> None:
    """An observer numbers the pages 1 to n, repeats itself, and refuses in a typed way.

    Args:
        observer: The implementation.
        document: Makes a document of a type it observes.
        pages: How many pages that document has.
        unreadable: Makes one that is damaged or not what it claims, if such bytes exist for the format.
    """
    expect_port(observer, Observer)
    expect_name(observer.distribution, "distribution")
    expect_media_types(observer.media_types)
    first = _observed(observer, document)
    expect(first == _observed(observer, document), "observe answers the same bytes the same way twice")
    found, findings, properties = first
    expect(
        [page.number for page in found] == list(range(1, pages + 1)), f"pages are numbered 1 to {pages}, none left out"
    )
    for page in found:
        expect(list(page.signals) == sorted(set(page.signals)), f"page {page.number}: signals are sorted, each once")
    for finding in findings:
        expect(finding.page is None or 1 <= finding.page <= pages, f"{finding.code} names a page that exists")
    expect(all(isinstance(value, str) for value in properties.values()), "properties are strings, verbatim")
    _check_sniff(observer, document)
    if unreadable is not None:
        expect_typed(lambda: _observed(observer, unreadable), SourceUnreadable, SourceEncrypted)


def _observed(
    observer: Observer, document: DocumentFactory
) -> tuple[tuple[PageObservation, ...], tuple[Finding, ...], dict[str, str]]:
    with document() as opened:
        observed = observer.observe(opened)
        return observed.pages, observed.findings, observed.properties


def _check_sniff(observer: Observer, document: DocumentFactory) -> None:
    with document() as opened:
        sniffed = observer.sniff(opened.data)
        expect(sniffed in {None, opened.media_type}, "sniff names the document's own type, or claims nothing")
    for junk in (b"", b"\x00", b"plain words", b"\xff" * 64):
        claimed = observer.sniff(junk)
        expect(claimed is None, f"sniff does not claim bytes that are no document: {junk[:12]!r} as {claimed}")


def check_reader(reader: Reader, document: DocumentFactory, pages: Sequence[int]) -> None:
    """A reader answers for the pages it is asked for and no others; spans, boxes and statuses hold.

    Args:
        reader: The implementation, able to run here.
        document: Makes a document of a type it reads.
        pages: All page numbers of that document.
    """
    expect_port(reader, Reader)
    descriptor = reader.descriptor
    expect(isinstance(descriptor, CapabilityDescriptor), "descriptor is a CapabilityDescriptor")
    expect_name(descriptor.id, "the capability's id")
    expect_media_types(descriptor.media_types)
    expect(descriptor.available or descriptor.unavailable_reason, "an unavailable capability says what to do about it")
    outputs = _read(reader, document, pages)
    expect(outputs == _read(reader, document, pages), "read answers the same pages the same way twice")
    numbers = [output.number for output in outputs]
    expect(set(numbers) <= set(pages), f"a reader never invents a page: asked {list(pages)}, answered {numbers}")
    expect(len(numbers) == len(set(numbers)), f"one output per page: {numbers}")
    for output in outputs:
        check_page_output(output)
    beyond = _read(reader, document, [max(pages) + 1])
    expect(all(output.number == max(pages) + 1 for output in beyond), "a reader never invents a page")
    expect(
        all(output.status is not PageStatus.COMPLETED for output in beyond),
        "a page that does not exist is not completed",
    )


def _read(reader: Reader, document: DocumentFactory, pages: Sequence[int]) -> list[PageOutput]:
    with document() as opened:
        return sorted(reader.read(opened, pages), key=lambda output: output.number)


def check_page_output(output: PageOutput) -> None:
    """What one page came back as: a terminal status with its reason, and spans that index the text."""
    where = f"page {output.number}"
    expect(isinstance(output.status, PageStatus), f"{where} has a terminal status")
    expect(output.status is PageStatus.COMPLETED or output.reason, f"{where} says why it was not read")
    expect_confidence(output.confidence, where)
    expect_cost(output.cost_usd)
    expect(
        not RESERVED_METADATA_KEYS & output.metadata.keys(), f"{where} leaves the executor's own metadata keys alone"
    )
    for line in output.lines:
        expect(0 <= line.start < line.end <= len(output.text), f"{where}: a line's span indexes the text: {line}")
        expect_box(line.box, line.reason, f"{where}, line at {line.start}")
        expect_confidence(line.confidence, f"{where}, line at {line.start}")
    for table in output.tables:
        inside = all(cell.row < table.rows and cell.column < table.columns for cell in table.cells)
        expect(inside, f"{where}: cells lie inside their table")
        order = [(cell.row, cell.column) for cell in table.cells]
        expect(order == sorted(set(order)), f"{where}: cells come in row order, each once")
    for link in output.links:
        expect(link.target.strip(), f"{where}: a link leads somewhere: {link}")
        expect_box(link.box, None if link.box else BoxReason.NO_GEOMETRY, f"{where}, link to {link.target}")


def check_chunker(chunker: Chunker, document: DocumentFactory, outputs: Sequence[PageOutput]) -> None:
    """A chunker answers for pages it was given; every piece has a box or says why not.

    Args:
        chunker: The implementation.
        document: Makes the document that ``outputs`` were read from.
        outputs: Page outputs, best of every status.
    """
    expect_port(chunker, Chunker)
    expect_name(chunker.id, "the chunker's id")
    expect_media_types(chunker.media_types)
    chunked = _chunked(chunker, document, outputs)
    expect(chunked == _chunked(chunker, document, outputs), "chunk answers the same pages the same way twice")
    expect(set(chunked) <= {output.number for output in outputs}, "a chunker answers for pages it was given")
    for number, pieces in chunked.items():
        for piece in pieces:
            expect_box(piece.box, piece.reason, f"a chunk of page {number}")
            expect(piece.text.strip() or piece.image, f"a chunk of page {number} holds text or an image")


def _chunked(chunker: Chunker, document: DocumentFactory, outputs: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
    with document() as opened:
        return chunker.chunk(opened, outputs)


def check_signature(
    signature: Signature, document: DocumentFactory, observation: Observation, *, matches: bool
) -> None:
    """A signature nominates its own parser, for scopes that exist, with evidence.

    Args:
        signature: The implementation.
        document: Makes a document.
        observation: What was observed of it.
        matches: Whether the signature recognises this document.
    """
    expect_port(signature, Signature)
    expect_name(signature.name, "the signature's name")
    expect_media_types(signature.media_types)
    found = expect_twice(lambda: _detected(signature, document, observation), "detect")
    expect(bool(found) == matches, f"detect {'recognises' if matches else 'does not recognise'} this document")
    scopes = {"document", *(f"page:{page.number}" for page in observation.pages)}
    for match in found:
        expect(match.signature == signature.name, "a match names its signature")
        expect(match.scope in scopes, f"a match has a scope that exists: {match.scope}")
        expect(match.nominated_capability_id == signature.capability_id, "a match nominates the signature's parser")
        expect(match.evidence, "a match names the signals that hit")
        expect_confidence(match.confidence, "a match")


def _detected(signature: Signature, document: DocumentFactory, observation: Observation) -> list[SignatureMatch]:
    with document() as opened:
        return signature.detect(opened, observation)
