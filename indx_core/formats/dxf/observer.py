"""``indx-observer-dxf``: recognises a drawing and lists its layouts as pages."""

from typing import TYPE_CHECKING

from indx_core.contracts.observation import Finding, PageObservation, TextLayer
from indx_core.formats.dxf.loading import MEDIA_TYPE, is_drawing
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

if TYPE_CHECKING:
    from indx_core.formats.dxf.drawing import Layout


class DxfObserver:
    """Observes image/vnd.dxf. Parses the drawing, which the reader then finds parsed."""

    distribution: str = "indx-observer-dxf"
    media_types: tuple[str, ...] = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        return MEDIA_TYPE if is_drawing(data) else None

    def observe(self, document: OpenDocument) -> Observed:
        from indx_core.formats.dxf.drawing import opened

        drawing = opened(document)
        pages = tuple(_page(number, layout) for number, layout in enumerate(drawing.layouts, start=1))
        findings = tuple(Finding(code=code, message=message) for code, message in drawing.findings)
        return Observed(pages, findings, drawing.properties)


def _page(number: int, layout: "Layout") -> PageObservation:
    """Geometry without text has no layer to read; an empty layout has one, and it is blank."""
    signals = {"text": bool(layout.texts), "geometry": layout.drawn, "empty": not layout.texts and not layout.drawn}
    missing = layout.drawn and not layout.texts
    return PageObservation(
        number=number,
        text_layer=TextLayer.ABSENT if missing else TextLayer.PRESENT,
        signals=tuple(sorted(name for name, seen in signals.items() if seen)),
        measures={"texts": float(len(layout.texts))},
        label=layout.name,
    )
