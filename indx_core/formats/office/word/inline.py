"""Text inside a Word paragraph: runs, results of fields, revisions as accepted, ruby bases, formulas.

What a paragraph anchors without being part of its line (text boxes, charts) is collected; the story places it after.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from indx_core.contracts.page import Link
from indx_core.formats.office.word.symbols import symbol_text
from indx_core.kit.ooxml.links import field_address
from indx_core.kit.ooxml.markup import children, descend, find, toggled, whole
from indx_core.kit.ooxml.math import math_text
from indx_core.kit.ooxml.package import Relationships
from indx_core.kit.ooxml.xml import Element

TRANSPARENT = frozenset(
    {"w:ins", "w:moveTo", "w:hyperlink", "w:smartTag", "w:customXml", "w:fldSimple", "w:dir", "w:bdo"}
)
"""Wrappers whose content counts as if they were not there. Insertions are: the final text is read."""

DELETED = frozenset({"w:del", "w:moveFrom"})
"""Wrappers of text that accepting all revisions removes."""

_FIXED = {"w:tab": "\t", "w:ptab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}

_REFERENCES = {"w:footnoteReference": "footnote", "w:endnoteReference": "endnote", "w:commentReference": "comment"}


@dataclass(slots=True)
class Marks:
    """What a walk came across.

    Attributes:
        referenced: ``(kind, id)`` of notes and comments in the order of their references.
        dropped: The same, of references that stand in deleted text.
        hidden_runs: Runs of hidden text (``w:vanish``); their text is read.
        embedded: Embedded objects; their content is not read.
        alternative_chunks: Imported documents (``w:altChunk``); their content is not read.
        links: Links that leave the document, in the order they end.
    """

    referenced: list[tuple[str, str]] = field(default_factory=list)
    dropped: set[tuple[str, str]] = field(default_factory=set)
    hidden_runs: int = 0
    embedded: int = 0
    alternative_chunks: int = 0
    links: list[Link] = field(default_factory=list)


class Inline:
    """Reads paragraphs of one story. Fields may span paragraphs, so one object reads them all.

    Attributes:
        asides: Elements the last paragraph anchors: text boxes (``w:txbxContent``) and drawings, in order.
    """

    def __init__(self, marks: Marks, relationships: Relationships, *, balanced_fields: bool) -> None:
        """Start a story.

        Args:
            marks: Collects what is come across.
            relationships: Those of the part the story is in: where its links lead.
            balanced_fields: Whether every field of the story ends. If one does not, nothing is taken for a field's
                instruction, or one lost mark would swallow the rest of the document.
        """
        self.asides: list[Element] = []
        self._marks = marks
        self._relationships = relationships
        self._balanced = balanced_fields
        self._fields: list[_Field] = []

    def paragraph(self, paragraph: Element) -> str:
        """The paragraph's text; fills ``asides``."""
        self.asides = []
        return "".join(self._content(paragraph))

    def _content(self, parent: Element) -> Iterator[str]:
        for child in children(parent):
            tag = child.tag
            if tag == "w:r":
                yield from self._run(child)
            elif tag in TRANSPARENT:
                yield self._wrapped(child)
            elif tag == "w:sdt":
                content = child.find("w:sdtContent")
                if content is not None:
                    yield from self._content(content)
            elif tag in DELETED:
                self._drop(child)
            elif tag in ("m:oMath", "m:oMathPara"):
                yield math_text(child)

    def _wrapped(self, wrapper: Element) -> str:
        """The text of a wrapper; that of a link is noted."""
        text = "".join(self._content(wrapper))
        if wrapper.tag == "w:hyperlink":
            self._link(self._relationships.address(wrapper.get("r:id")), text)
        elif wrapper.tag == "w:fldSimple":
            self._link(field_address(wrapper.get("w:instr", "")), text)
        return text

    def _link(self, address: str, text: str) -> None:
        if address:
            self._marks.links.append(Link(address, " ".join(text.split())))

    def _run(self, run: Element) -> Iterator[str]:
        if toggled(find(run, "w:rPr", "w:vanish")) and run.find("w:t") is not None:
            self._marks.hidden_runs += 1
        for child in children(run):
            text = self._piece(child)
            if text and not self._in_instruction:
                if self._fields:
                    self._fields[-1].result += text
                yield text

    def _piece(self, child: Element) -> str:
        tag = child.tag
        if tag == "w:t":
            return child.text or ""
        if tag in _FIXED:
            return _FIXED[tag]
        if tag in _REFERENCES:
            self._marks.referenced.append((_REFERENCES[tag], child.get("w:id", "")))
            return ""
        handle = self._HANDLERS.get(tag)
        return handle(self, child) if handle else ""

    def _ruby(self, ruby: Element) -> str:
        """The base alone: the reading above it would stand in the middle of the word (漢かん字じ)."""
        base = ruby.find("w:rubyBase")
        return "" if base is None else "".join(self._content(base))

    def _symbol(self, symbol: Element) -> str:
        return symbol_text(symbol.get("w:font", ""), symbol.get("w:char", ""))

    def _drawing(self, drawing: Element) -> str:
        for element in descend(drawing):
            if element.tag == "o:OLEObject":
                self._marks.embedded += 1
            elif element.tag == "wp:docPr" and (clicked := element.find("a:hlinkClick")) is not None:
                self._link(self._relationships.address(clicked.get("r:id")), "")
        self.asides.append(drawing)
        return ""

    def _field_mark(self, mark: Element) -> str:
        kind = mark.get("w:fldCharType")
        if kind == "begin":
            self._fields.append(_Field(default=_form_value(mark)))
        elif self._fields and kind == "separate":
            self._fields[-1].in_result = True
        elif self._fields and kind == "end":
            ended = self._fields.pop()
            self._link(field_address(ended.instruction), ended.result)
            return "" if ended.in_result else ended.default
        return ""

    def _instruction(self, piece: Element) -> str:
        if self._fields:
            self._fields[-1].instruction += piece.text or ""
        return ""

    @property
    def _in_instruction(self) -> bool:
        return self._balanced and any(not open_field.in_result for open_field in self._fields)

    def _drop(self, deleted: Element) -> None:
        for element in deleted.iter():
            if element.tag in _REFERENCES:
                self._marks.dropped.add((_REFERENCES[element.tag], element.get("w:id", "")))

    _HANDLERS: dict[str, Callable[["Inline", Element], str]] = {
        "w:ruby": _ruby,
        "w:sym": _symbol,
        "w:drawing": _drawing,
        "w:pict": _drawing,
        "w:object": _drawing,
        "w:fldChar": _field_mark,
        "w:instrText": _instruction,
    }


@dataclass(slots=True)
class _Field:
    """An open complex field: ``begin`` instruction ``separate`` result ``end``."""

    default: str = ""
    in_result: bool = False
    instruction: str = ""
    result: str = ""


def _form_value(mark: Element) -> str:
    """What a legacy form field shows where it has no result: a drop-down's choice, a check box."""
    data = mark.find("w:ffData")
    drop_down, check_box = find(data, "w:ddList"), find(data, "w:checkBox")
    if drop_down is not None:
        entries = drop_down.findall("w:listEntry")
        chosen = _value(drop_down, "w:result") or _value(drop_down, "w:default")
        index = whole(chosen, 0, low=0, high=max(0, len(entries) - 1))
        return entries[index].get("w:val", "") if entries else ""
    if check_box is not None:
        state = check_box.find("w:checked")
        return "☒" if toggled(state if state is not None else check_box.find("w:default")) else "☐"
    return ""


def _value(parent: Element, tag: str) -> str | None:
    child = parent.find(tag)
    return None if child is None else child.get("w:val")
