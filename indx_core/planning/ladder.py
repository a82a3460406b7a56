"""The routing ladder: who reads a media type, cheapest kind first, and where nobody does.

Knows kinds and media types. Does not know prices, constraints or signatures: those shorten a ladder or lead it.
"""

from collections.abc import Iterable

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, CapabilitySnapshot
from indx_core.contracts.errors import UnsupportedMediaType
from indx_core.contracts.observation import TextLayer
from indx_core.planning.scopes import listed

RUNGS = (CapabilityKind.NATIVE, CapabilityKind.OCR, CapabilityKind.VLM, CapabilityKind.MANUAL)
"""Kinds in the order they are tried. A parser is no rung: only a signature's nomination puts it on a route."""


def rungs(snapshot: CapabilitySnapshot, media_type: str) -> tuple[CapabilityDescriptor, ...]:
    """Everything on the ladder for a media type, in order: by kind, within a kind by id.

    Unavailable capabilities are included: the plan descends past them and says so.
    """
    reading = [each for each in snapshot.capabilities if each.kind in RUNGS and each.reads(media_type)]
    return tuple(sorted(reading, key=lambda each: (RUNGS.index(each.kind), each.id)))


def for_text_layer(rungs: Iterable[CapabilityDescriptor], layer: TextLayer) -> tuple[CapabilityDescriptor, ...]:
    """The ladder of a page: without a trusted text layer there is nothing to extract natively."""
    return tuple(each for each in rungs if layer is TextLayer.PRESENT or each.kind is not CapabilityKind.NATIVE)


def parsers(snapshot: CapabilitySnapshot, media_type: str) -> tuple[CapabilityDescriptor, ...]:
    """Parsers that declare the media type by name, by id. One that declares none claims every type and proves none."""
    declaring = [
        each for each in snapshot.capabilities if each.kind is CapabilityKind.PARSER and media_type in each.media_types
    ]
    return tuple(sorted(declaring, key=lambda each: each.id))


def only_people_read(rungs: Iterable[CapabilityDescriptor]) -> bool:
    """Whether the ladder holds nothing but people. An unavailable reader counts as one: installing it is the remedy."""
    return all(each.kind is CapabilityKind.MANUAL for each in rungs)


def require_readable(snapshot: CapabilitySnapshot, media_type: str) -> None:
    """Refuse a media type that nothing installed reads; a human queue for it would be a silent answer.

    Raises:
        UnsupportedMediaType: Neither a reader, available or not, nor a parser declares it.
    """
    if not only_people_read(rungs(snapshot, media_type)) or parsers(snapshot, media_type):
        return
    readable = sorted({name for each in snapshot.capabilities for name in each.media_types})
    raise UnsupportedMediaType(
        f"no installed capability reads {media_type}; this installation reads {', '.join(readable) or 'nothing'}",
        param="source",
    )


def parser_only_line(parsers: Iterable[CapabilityDescriptor], media_type: str) -> str:
    """Why a plan without signature detection is unsatisfied where only parsers read the type.

    The silent alternative, manual review at $2 and a day a page, reads exactly like an install without the parser.
    """
    names = [each.id for each in parsers]
    noun = "parser" if len(names) == 1 else "parsers"
    return (
        f"routing: {media_type} is read only by {noun} {listed(names)}, and a parser reaches a route only through "
        f"signature nomination -- plan with signature_detection=true"
    )
