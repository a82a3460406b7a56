"""indx-observer-office: recognises Office packages and lists their pages. Opens no engine and renders nothing.

What reads packages is imported when one is met: discovery imports this module for every document of any kind.
"""

from typing import TYPE_CHECKING

from indx_core.contracts.errors import IndxError, SourceUnreadable
from indx_core.contracts.observation import Finding, PageObservation, TextLayer
from indx_core.formats.office.media_types import MEDIA_TYPES, sniff_package
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

if TYPE_CHECKING:
    from indx_core.formats.office.pages import Page

_ZIP_SIGNATURE = b"PK"
_FINDINGS = {
    "missing": ("page_missing", "the document lists this page and does not hold it"),
    "damaged": ("page_damaged", "the XML of this page is not well-formed"),
}


class OfficeObserver:
    """Observes Word, Excel and PowerPoint packages."""

    distribution = "indx-observer-office"
    media_types: tuple[str, ...] = MEDIA_TYPES

    def sniff(self, data: bytes) -> str | None:
        """The media type of an Office package. Half the world's formats are zip archives; the member list tells."""
        if not data.startswith(_ZIP_SIGNATURE):
            return None
        from indx_core.kit.ooxml.package import Package
        from indx_core.kit.ooxml.settings import PackageSettings

        try:
            package = Package(data, PackageSettings.load())
        except SourceUnreadable as error:
            return _declared_in(data) if error.details.get("limit") else None
        except IndxError:
            return None
        try:
            return sniff_package(package)
        finally:
            package.close()

    def observe(self, document: OpenDocument) -> Observed:
        from indx_core.formats.office.pages import list_pages
        from indx_core.kit.ooxml.package import open_package
        from indx_core.kit.ooxml.properties import read_properties

        pages = list_pages(document)
        findings = [
            Finding(code=code, message=message, page=page.number)
            for page in pages
            for code, message in (_FINDINGS[signal] for signal in page.signals if signal in _FINDINGS)
        ]
        if not pages:
            findings.append(Finding(code="no_pages", message="the presentation has no slides"))
        return Observed(tuple(map(_observation, pages)), tuple(findings), read_properties(open_package(document)))


def _observation(page: "Page") -> PageObservation:
    """Every Office page has its characters in the file, so its own reader comes first.

    A chart sheet too: that reader is who says, and why, that there is nothing to read.
    """
    return PageObservation(
        number=page.number,
        text_layer=TextLayer.PRESENT,
        signals=page.signals,
        label=page.label,
        hidden=page.hidden,
    )


def _declared_in(data: bytes) -> str | None:
    """The type of a package beyond a limit, by a member name in its directory: the observer then refuses it by name."""
    directory = data[-1024 * 1024 :]
    for name, media_type in ((b"word/", 0), (b"xl/", 4), (b"ppt/", 8)):
        if name in directory:
            return MEDIA_TYPES[media_type]
    return None
