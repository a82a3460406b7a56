"""Formulas (Office Math, ECMA-376 part 1, 22.1) as one line of text: ``x=(-b±√(b^2-4ac))/2a``.

The characters are the file's own; only the structure that a line cannot show is written with ``/ ^ _ √`` and brackets.
"""

from collections.abc import Callable

from indx_core.kit.ooxml.markup import children, find
from indx_core.kit.ooxml.xml import Element

_PROPERTIES = frozenset({"m:rPr", "m:ctrlPr", "w:rPr", "a:rPr", "w:del", "w:moveFrom"})


def math_text(element: Element) -> str:
    """The text of ``m:oMath``, ``m:oMathPara`` or any element inside one."""
    if element.tag == "m:t":
        return element.text or ""
    write = _STRUCTURES.get(element.tag)
    return write(element) if write else _inside(element)


def _inside(element: Element | None) -> str:
    if element is None:
        return ""
    return "".join(math_text(child) for child in children(element) if child.tag not in _PROPERTIES)


def _part(element: Element, tag: str) -> str:
    return _inside(element.find(tag))


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _fraction(element: Element) -> str:
    return f"{_grouped(_part(element, 'm:num'))}/{_grouped(_part(element, 'm:den'))}"


def _scripts(element: Element) -> str:
    sub, sup = _part(element, "m:sub"), _part(element, "m:sup")
    return _part(element, "m:e") + (f"_{_grouped(sub)}" if sub else "") + (f"^{_grouped(sup)}" if sup else "")


def _radical(element: Element) -> str:
    return f"{_part(element, 'm:deg')}√{_grouped(_part(element, 'm:e'))}"


def _nary(element: Element) -> str:
    sign = find(element, "m:naryPr", "m:chr")
    symbol = sign.get("m:val", "") if sign is not None else "∫"
    sub, sup = _part(element, "m:sub"), _part(element, "m:sup")
    limits = (f"_{_grouped(sub)}" if sub else "") + (f"^{_grouped(sup)}" if sup else "")
    return f"{symbol}{limits} {_part(element, 'm:e')}"


def _delimited(element: Element) -> str:
    def sign(tag: str, default: str) -> str:
        found = find(element, "m:dPr", tag)
        return found.get("m:val", "") if found is not None else default

    inner = sign("m:sepChr", "|").join(_inside(part) for part in element.findall("m:e"))
    return f"{sign('m:begChr', '(')}{inner}{sign('m:endChr', ')')}"


def _function(element: Element) -> str:
    return f"{_part(element, 'm:fName')} {_part(element, 'm:e')}"


def _lower_limit(element: Element) -> str:
    return f"{_part(element, 'm:e')}_{_grouped(_part(element, 'm:lim'))}"


def _upper_limit(element: Element) -> str:
    return f"{_part(element, 'm:e')}^{_grouped(_part(element, 'm:lim'))}"


def _matrix(element: Element) -> str:
    rows = [" ".join(_inside(cell) for cell in row.findall("m:e")) for row in element.findall("m:mr")]
    return f"[{'; '.join(rows)}]"


def _equations(element: Element) -> str:
    return "; ".join(_inside(part) for part in element.findall("m:e"))


def _paragraph(element: Element) -> str:
    return "\n".join(_inside(part) for part in element.findall("m:oMath"))


_STRUCTURES: dict[str, Callable[[Element], str]] = {
    "m:f": _fraction,
    "m:sSup": _scripts,
    "m:sSub": _scripts,
    "m:sSubSup": _scripts,
    "m:sPre": _scripts,
    "m:rad": _radical,
    "m:nary": _nary,
    "m:d": _delimited,
    "m:func": _function,
    "m:limLow": _lower_limit,
    "m:limUpp": _upper_limit,
    "m:m": _matrix,
    "m:eqArr": _equations,
    "m:oMathPara": _paragraph,
}
