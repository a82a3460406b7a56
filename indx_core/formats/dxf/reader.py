"""``dxf-extraction``: the texts of each layout, one line entry per text with its box."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput, PageStatus, TextLine
from indx_core.formats.dxf.loading import MEDIA_TYPE
from indx_core.ports.document import OpenDocument

if TYPE_CHECKING:
    from indx_core.formats.dxf.drawing import Layout


class DxfReader:
    """Reads image/vnd.dxf on the free rung. A text of several lines stays one entry: a note is one thing to find."""

    @property
    def descriptor(self) -> CapabilityDescriptor:
        return CapabilityDescriptor(
            id="dxf-extraction",
            kind=CapabilityKind.NATIVE,
            media_types=(MEDIA_TYPE,),
            distribution="indx-capability-dxf-extraction",
        )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        from indx_core.formats.dxf.drawing import opened

        layouts = opened(document).layouts
        for number in pages:
            if 1 <= number <= len(layouts):
                yield _output(number, layouts[number - 1])


def _output(number: int, layout: "Layout") -> PageOutput:
    if layout.drawn and not layout.texts:
        return PageOutput(number=number, status=PageStatus.FAILED, reason="the layout holds geometry and no text")
    lines, position = [], 0
    for text in layout.texts:
        end = position + len(text.text)
        lines.append(TextLine(position, end, text.box, text.reason))
        position = end + 1
    return PageOutput(
        number=number,
        text="\n".join(text.text for text in layout.texts),
        lines=tuple(lines),
        tables=layout.tables,
    )
