"""XML of Office parts: parsed without document types, so without entities, and with short names.

ECMA-376 part 2 (9.1.4) forbids a document type declaration in every part. A part that has one is refused outright,
which shuts out entity bombs and external entities before the parser sees a declaration.
"""

import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.names import short

Element = ET.Element

_PROLOG_BYTES = 64 * 1024


def parse(data: bytes, part: str) -> Element:
    """The root element of a part, every name in its short form (``names.short``).

    Raises:
        SourceUnreadable: The part declares a document type.
        PartDamaged: It is not well-formed.
    """
    _refuse_document_type(data[:_PROLOG_BYTES], part)
    try:
        root = ET.fromstring(data)  # noqa: S314 - no document type, hence no entities: refused above
    except (ET.ParseError, ValueError, LookupError) as error:
        raise _malformed(part, error) from None
    for element in root.iter():
        shorten(element)
    return root


def stream(source: BinaryIO, part: str) -> Iterator[tuple[str, Element]]:
    """``("start" | "end", element)`` of a part too big for a tree. Names are long; see ``shorten``.

    Raises:
        SourceUnreadable: The part declares a document type.
        PartDamaged: It is not well-formed; raised where the damage is, after what stands before it.
    """
    head = source.read(_PROLOG_BYTES)
    _refuse_document_type(head, part)
    try:
        yield from ET.iterparse(_Rejoined(head, source), events=("start", "end"))  # noqa: S314 - as in parse
    except (ET.ParseError, ValueError, LookupError) as error:
        raise _malformed(part, error) from None


def shorten(element: Element) -> None:
    """Give one element and its attributes their short names."""
    element.tag = short(element.tag)
    attributes = element.attrib
    if any(name[0] == "{" for name in attributes):
        element.attrib = {short(name): value for name, value in attributes.items()}


class _Rejoined(io.RawIOBase):
    """A stream with its head put back."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        super().__init__()
        self._head = head
        self._rest = rest

    def read(self, size: int = -1) -> bytes:
        if self._head:
            head, self._head = self._head, b""
            return head
        return self._rest.read(size)


class _RootReachedError(Exception):
    """The prolog is over."""


def _refuse_document_type(head: bytes, part: str) -> None:
    """Read the prolog with a bare parser, whose handlers are called before a declaration takes effect."""

    def document_type(*_: object) -> None:
        raise SourceUnreadable(
            f"the part {part} declares a document type, which Office files never do; it may be an attack with entities",
            remedy="save the document anew in its own program",
        )

    def root(*_: object) -> None:
        raise _RootReachedError

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = document_type
    parser.StartElementHandler = root
    try:
        parser.Parse(head, True)  # noqa: FBT003 - expat takes it by position only
    except _RootReachedError:
        return
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise _malformed(part, error) from None
    raise PartDamaged(f"the part {part} holds no XML element")


def _malformed(part: str, error: BaseException) -> PartDamaged:
    return PartDamaged(f"the part {part} is not well-formed XML: {error}")
