"""Slides of process charts as raw DrawingML, 1000 x 1000 units unless a deck says otherwise."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from xml.sax.saxutils import escape

from office_builder import frame, group, pptx, shape, text_body

from indx_core.contracts.page import Box
from indx_core.contracts.source import InlineSource
from indx_core.kit.intake import acquire, open_document
from indx_core.kit.registry import Registry, discover
from indx_core.ports.document import OpenDocument


def drawn(
    number: int,
    preset: str,
    place: tuple[int, int, int, int],
    text: str = "",
    attributes: str = "",
    turned: str = "",
    text_box: bool = False,
) -> str:
    """A shape with a preset geometry at ``(x, y, width, height)``."""
    mark = ' txBox="1"' if text_box else ""
    body = text_body(*escape(text).split("\n")) if text else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Shape {number}" {attributes}/><p:cNvSpPr{mark}/><p:nvPr/>'
        f'</p:nvSpPr><p:spPr>{frame(*place, attributes=turned)}<a:prstGeom prst="{preset}"/></p:spPr>{body}</p:sp>'
    )


def label(number: int, text: str, place: tuple[int, int, int, int]) -> str:
    """A text box."""
    return drawn(number, "rect", place, text, text_box=True)


def connector(
    number: int,
    begin: int | None,
    end: int | None,
    place: tuple[int, int, int, int] = (0, 0, 0, 0),
    ends: str = '<a:tailEnd type="triangle"/>',
    turned: str = "",
    attributes: str = "",
) -> str:
    """A connector from the shape ``begin`` to the shape ``end``, with an arrowhead at its end unless told otherwise."""
    start = "" if begin is None else f'<a:stCxn id="{begin}" idx="0"/>'
    stop = "" if end is None else f'<a:endCxn id="{end}" idx="0"/>'
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{number}" name="Connector {number}" {attributes}/><p:cNvCxnSpPr>{start}{stop}'
        f"</p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr>{frame(*place, attributes=turned)}"
        f'<a:prstGeom prst="straightConnector1"/><a:ln>{ends}</a:ln></p:spPr></p:cxnSp>'
    )


def picture(number: int, place: tuple[int, int, int, int]) -> str:
    """A picture whose file is missing: what it shows is no part of the graph."""
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="Picture {number}"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        f"<p:blipFill/><p:spPr>{frame(*place)}</p:spPr></p:pic>"
    )


def title(number: int, text: str) -> str:
    """A title placeholder."""
    return shape(number, text, frame(50, 20, 900, 80), placeholder='<p:ph type="title"/>')


MINIMAL = (
    drawn(2, "triangle", (400, 100, 100, 100))
    + drawn(3, "ellipse", (400, 400, 100, 100))
    + drawn(4, "diamond", (400, 700, 100, 100))
    + connector(5, 2, 3, (450, 200, 0, 200))
    + connector(6, 3, 4, (450, 500, 0, 200))
)
"""Material, operation, inspection, joined by two arrows; nothing is labelled."""


def impregnation_line() -> bytes:
    """A deck of two slides, the second a chart: a region, a turned group, an assembly, labels inside and beside."""
    space = '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'
    nested = drawn(21, "triangle", (0, 0, 100, 100)) + drawn(22, "triangle", (25, 30, 50, 50))
    content = (
        title(2, "モーターコイル 工程系統図")
        + drawn(3, "rect", (100, 300, 800, 640), "含浸ライン")
        + drawn(4, "roundRect", (150, 560, 300, 200), "乾燥炉")
        + drawn(5, "triangle", (200, 130, 80, 80))
        + label(6, "銅線 φ0.8", (290, 140, 160, 60))
        + drawn(7, "ellipse", (200, 380, 80, 80), "巻線")
        + drawn(8, "flowChartConnector", (200, 620, 80, 80))
        + label(9, "真空\n含浸", (290, 630, 120, 60))
        + group(20, frame(550, 120, 100, 100, more=space), nested)
        + label(23, "組立 & <検品>", (660, 140, 200, 60))
        + drawn(10, "diamond", (560, 640, 80, 80))
        + label(11, "外観検査", (650, 650, 120, 60))
        + picture(12, (700, 360, 120, 120))
        + label(13, "※ 温度は標準書による", (600, 860, 280, 50))
        + drawn(14, "ellipse", (800, 640, 80, 80), "廃止", attributes='hidden="1"')
        + connector(30, 5, 7, (240, 210, 0, 170))
        + connector(31, 8, 7, (240, 460, 0, 160), ends="", turned='flipV="1"')
        + connector(32, 8, 10, (280, 660, 280, 0))
        + connector(33, 10, 22, (600, 220, 0, 420), ends='<a:headEnd type="arrow"/>', turned='flipV="1"')
        + connector(34, 10, 14, (640, 680, 160, 0))
        + connector(35, None, 10, (500, 700, 60, 0))
    )
    return pptx(shape(2, "表紙", frame(100, 100, 800, 200)), content)


def two_charts() -> bytes:
    """A deck whose first and third slides are charts."""
    second = MINIMAL + title(9, 'A "second" chart; 100% #1\nof {two} \\ `three`')
    return pptx(MINIMAL, shape(2, "words"), second, size=(2000, 1000))


CASES: Mapping[str, Callable[[], bytes]] = MappingProxyType(
    {"impregnation-line": impregnation_line, "two-charts": two_charts}
)


def opened(data: bytes, registry: Registry | None = None) -> OpenDocument:
    """The deck as the service opens it."""
    registry = registry or discover()
    return open_document(acquire(InlineSource(data=data), registry), registry)


def slide(content: str, **options: tuple[int, int]) -> OpenDocument:
    """A deck of one slide."""
    return opened(pptx(content, **options))


def box(place: tuple[int, int, int, int]) -> Box:
    """Of ``(x, y, width, height)`` in thousandths."""
    x, y, width, height = place
    return Box(x / 1000, y / 1000, (x + width) / 1000, (y + height) / 1000)
