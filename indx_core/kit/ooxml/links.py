"""Hyperlinks in Office markup: the words of a run or the shape that is clicked on, and where that leads.

ECMA-376 part 1, 20.1.2.2 (``a:hlinkClick``), 17.16.5.25 (the field HYPERLINK of Word) and 18.17.7.139 (the function
HYPERLINK of worksheets). Links to a place in the same document are none. Follows no link.
"""

import re
from collections.abc import Iterator

from indx_core.contracts.page import Box, Link
from indx_core.kit.ooxml.markup import descend, find
from indx_core.kit.ooxml.package import Relationships
from indx_core.kit.ooxml.xml import Element

_FIELD = re.compile(r'\s*HYPERLINK\s+(?:"([^"]+)"|([^\s"\\]\S*))', re.IGNORECASE)
_FUNCTION = re.compile(r'\s*HYPERLINK\(\s*"((?:[^"]|"")+)"\s*[,)]', re.IGNORECASE)
_RUNS = frozenset({"a:r", "a:fld"})


def drawn_links(element: Element, relationships: Relationships, box: Box | None = None) -> Iterator[Link]:
    """Links of a shape and of the text in it.

    Args:
        element: The shape.
        relationships: Those of the part it is in.
        box: Where it stands.
    """
    if not relationships.linked:
        return
    for inner in descend(element):
        if inner.tag in _RUNS:
            clicked, text = find(inner, "a:rPr", "a:hlinkClick"), inner.findtext("a:t") or ""
        elif inner.tag.endswith(":cNvPr"):
            clicked, text = inner.find("a:hlinkClick"), ""
        else:
            continue
        if clicked is not None and (address := relationships.address(clicked.get("r:id"))):
            yield Link(address, text.strip(), box)


def field_address(instruction: str) -> str:
    """Where the instruction of a Word field leads; empty for any other field, and for a bookmark."""
    match = _FIELD.match(instruction)
    return (match[1] or match[2]).replace("\\\\", "\\").strip() if match else ""


def formula_address(formula: str) -> str:
    """Where a formula that is one HYPERLINK of a written address leads; empty for any other formula."""
    match = _FUNCTION.match(formula)
    return match[1].replace('""', '"').strip() if match else ""
