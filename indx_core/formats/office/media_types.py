"""Media types of Office packages and how one is told from another: by the content type of the main part."""

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from indx_core.contracts.errors import IndxError, SourceUnreadable

if TYPE_CHECKING:
    from indx_core.kit.ooxml.package import Package


class Family(StrEnum):
    """Which program's document it is."""

    WORD = "word"
    SHEET = "sheet"
    SLIDES = "slides"


_OPEN = "application/vnd.openxmlformats-officedocument."
_WORD = "application/vnd.ms-word."
_EXCEL = "application/vnd.ms-excel."
_POWERPOINT = "application/vnd.ms-powerpoint."

DOCX = f"{_OPEN}wordprocessingml.document"
XLSX = f"{_OPEN}spreadsheetml.sheet"
PPTX = f"{_OPEN}presentationml.presentation"

WORD_TYPES = (
    DOCX,
    f"{_WORD}document.macroEnabled.12",
    f"{_OPEN}wordprocessingml.template",
    f"{_WORD}template.macroEnabled.12",
)
SHEET_TYPES = (
    XLSX,
    f"{_EXCEL}sheet.macroEnabled.12",
    f"{_OPEN}spreadsheetml.template",
    f"{_EXCEL}template.macroEnabled.12",
)
SLIDE_TYPES = (
    PPTX,
    f"{_POWERPOINT}presentation.macroEnabled.12",
    f"{_OPEN}presentationml.template",
    f"{_POWERPOINT}template.macroEnabled.12",
    f"{_OPEN}presentationml.slideshow",
    f"{_POWERPOINT}slideshow.macroEnabled.12",
)
MEDIA_TYPES = (*WORD_TYPES, *SHEET_TYPES, *SLIDE_TYPES)

_BY_MAIN_PART = MappingProxyType({f"{name.lower().removesuffix('.12')}.main+xml": name for name in MEDIA_TYPES})
"""Content types of main parts are the media types with ``.main+xml``, compared in lower case."""

_BY_FOLDER = MappingProxyType({"word": DOCX, "xl": XLSX, "ppt": PPTX})
_BY_ROOT = MappingProxyType({"w:document": Family.WORD, "s:workbook": Family.SHEET, "p:presentation": Family.SLIDES})


def sniff_package(package: "Package") -> str | None:
    """The media type of an Office package; ``None`` for a zip archive that is something else.

    Falls back on the main part's folder where the package states a content type that no main part has: such files
    exist, and Office opens them.
    """
    try:
        content_type = package.content_type(package.main_part)
    except IndxError:
        return None
    if content_type.endswith(".binary.macroenabled.main"):
        return None  # .xlsb: a workbook in another language altogether
    return _BY_MAIN_PART.get(content_type) or _BY_FOLDER.get(package.main_part.partition("/")[0].lower())


def family_of(package: "Package") -> Family:
    """Which program's document a package is, by the root of its main part.

    Raises:
        SourceUnreadable: None of the three, or the main part is damaged.
    """
    from indx_core.kit.ooxml.archive import PartDamaged

    if "binary" in package.content_type(package.main_part):
        raise SourceUnreadable("binary workbooks (.xlsb) are not read", remedy="save it as .xlsx in Excel")
    try:
        root = package.xml(package.main_part)
    except PartDamaged as error:
        raise SourceUnreadable(error.message) from None
    family = _BY_ROOT.get(root.tag)
    if family is None:
        raise SourceUnreadable("the package is no Word document, Excel workbook or PowerPoint presentation")
    return family
