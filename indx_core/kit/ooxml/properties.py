"""What a package declares of itself: title, author, language, the program that wrote it. Verbatim, never judged."""

from collections.abc import Iterator

from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.package import Package

_CORE = {
    "dc:title": "title",
    "dc:subject": "subject",
    "dc:creator": "author",
    "dc:description": "description",
    "dc:language": "language",
    "cp:keywords": "keywords",
    "cp:category": "category",
    "cp:lastModifiedBy": "last_modified_by",
    "dcterms:created": "created",
    "dcterms:modified": "modified",
}
_EXTENDED = {"Application": "application", "AppVersion": "application_version", "Company": "company"}


def read_properties(package: Package) -> dict[str, str]:
    """Declared properties by indx's name for them, sorted; only those that say something.

    ``language`` is ``dc:language`` as written (``ja-JP``, ``en-US``).
    """
    return dict(sorted(_stated(package)))


def _stated(package: Package) -> Iterator[tuple[str, str]]:
    relationships = package.relationships("")
    for kind, names in (("core-properties", _CORE), ("extended-properties", _EXTENDED)):
        for part in {kind: relationships.first(kind), "strict": relationships.first(_strict(kind))}.values():
            if not part or not package.has(part):
                continue
            try:
                root = package.xml(part)
            except PartDamaged:
                continue
            for element in root:
                name = names.get(element.tag) or names.get(element.tag.rpartition("}")[2])
                if name and element.text and element.text.strip():
                    yield name, element.text.strip()


def _strict(kind: str) -> str:
    """Strict packages spell the last segment of these two types in camel case (ISO/IEC 29500-1, annex A)."""
    first, _, second = kind.partition("-")
    return first + second.title()
