"""A Word document's sections: the enumerator of its pages, and what each holds.

A page of a Word document is a section (``w:sectPr``): the only division that the file states. Sheets of paper are made
by whoever lays the document out.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from indx_core.contracts.page import Link, Table
from indx_core.formats.office.word.inline import Marks
from indx_core.formats.office.word.story import Story
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.markup import children
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.xml import Element
from indx_core.ports.document import OpenDocument

_NOTE_PARTS = {"footnote": "footnotes", "endnote": "endnotes", "comment": "comments"}
_REFERENCES = {"w:headerReference": "header", "w:footerReference": "footer"}
_REFERENCE_TYPES = ("first", "default", "even")


@dataclass(slots=True)
class Section:
    """One section.

    Attributes:
        lines: Body text: a line per paragraph and per table row.
        tables: Grids of its body.
        blocks: ``(label, text)`` of what stands beside the body: headers, footers, notes, comments.
        findings: Coded remarks: ``(code, message)``.
        links: Links that leave the document, those of what stands beside the body last.
    """

    lines: list[str]
    tables: list[Table]
    blocks: list[tuple[str, str]] = field(default_factory=list)
    findings: list[tuple[str, str]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


class _Note(NamedTuple):
    """A footnote, endnote or comment: who wrote it, its text and its links."""

    author: str
    text: str
    links: list[Link]


def open_sections(document: OpenDocument) -> tuple[Section, ...]:
    """The document's sections, read once and shared.

    Raises:
        SourceUnreadable: It is no readable Word document.
        SourceEncrypted: Its members are encrypted.
    """
    return document.once("office.word", lambda: tuple(_Reading(open_package(document)).sections()))


class _Reading:
    """Walks a document once, cutting it at every section's end."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main_part
        self._sections: list[Section] = []
        self._inherited: dict[tuple[str, str], str] = {}
        self._counts = {"footnote": 0, "endnote": 0}
        self._marks = Marks()
        self._placed: set[tuple[str, str]] = set()
        self._findings: list[tuple[str, str]] = []
        self._notes: dict[tuple[str, str], _Note] = {}
        self._taken_lines = 0
        self._taken_tables = 0

    def sections(self) -> list[Section]:
        root = self._package.xml(self._main)
        body = root.find("w:body")
        self._read_notes()
        if body is None:
            return [Section([], [], findings=[("no_body", "the document has no body")])]
        self._story = Story(self._package, self._main, body, self._marks, self._cut)
        self._story.read()
        last = body.find("w:sectPr")
        if last is not None or len(self._story.lines) > self._taken_lines or not self._sections:
            self._cut(last)
        self._add_unplaced(self._sections[-1])
        return self._sections

    def _cut(self, properties: Element | None) -> None:
        """Make a section of what was read since the last one."""
        story = self._story
        section = Section(story.lines[self._taken_lines :], story.tables[self._taken_tables :])
        self._taken_lines, self._taken_tables = len(story.lines), len(story.tables)
        section.blocks.extend(self._furniture(properties))
        section.links, self._marks.links = self._marks.links, []
        for reference in self._marks.referenced:
            self._place(reference, section)
        section.findings.extend((*self._findings, *_remarks(self._marks)))
        self._findings.clear()
        self._marks.referenced.clear()
        self._marks.hidden_runs = self._marks.embedded = self._marks.alternative_chunks = 0
        self._sections.append(section)

    def _furniture(self, properties: Element | None) -> list[tuple[str, str]]:
        """Headers and footers in force, each text once; a section without one of its own has the previous one's."""
        relationships = self._package.relationships(self._main)
        for reference in children(properties) if properties is not None else ():
            target = relationships.target(reference.get("r:id"))
            if reference.tag in _REFERENCES and target and self._package.has(target):
                self._inherited[_REFERENCES[reference.tag], reference.get("w:type", "default")] = target
        blocks: list[tuple[str, str]] = []
        for label in _REFERENCES.values():
            parts = [self._inherited.get((label, kind)) for kind in _REFERENCE_TYPES]
            texts = dict.fromkeys(self._part_text(part) for part in parts if part)
            blocks.extend((label, text) for text in texts if text.strip())
        return blocks

    def _part_text(self, part: str) -> str:
        try:
            root = self._package.xml(part)
        except PartDamaged as error:
            self._findings.append(("part_unreadable", error.message))
            return ""
        return Story(self._package, part, root, self._marks).read().text

    def _read_notes(self) -> None:
        relationships = self._package.relationships(self._main)
        for kind, relationship_type in _NOTE_PARTS.items():
            part = relationships.first(relationship_type)
            if not part or not self._package.has(part):
                continue
            try:
                root = self._package.xml(part)
            except PartDamaged as error:
                self._findings.append(("part_unreadable", error.message))
                continue
            for note in root.iter(f"w:{kind}"):
                if note.get("w:type", "normal") == "normal":  # the others are drawn separators
                    text = Story(self._package, part, note, self._marks).read().text
                    self._notes[kind, note.get("w:id", "")] = _Note(note.get("w:author", ""), text, self._marks.links)
                    self._marks.links = []
        self._marks.referenced.clear()  # notes and comments refer to themselves

    def _place(self, reference: tuple[str, str], section: Section) -> None:
        note = self._notes.get(reference)
        if note is None or reference in self._placed:
            return
        self._placed.add(reference)
        section.links += note.links
        kind = reference[0]
        if kind == "comment":
            section.blocks.append((f"comment by {note.author}" if note.author else "comment", note.text))
        else:
            self._counts[kind] += 1
            section.blocks.append((f"{kind} {self._counts[kind]}", note.text))

    def _add_unplaced(self, section: Section) -> None:
        """Notes nothing refers to stand at the end; those whose reference was deleted went with it."""
        for reference in self._notes:
            if reference not in self._marks.dropped:
                self._place(reference, section)


def _remarks(marks: Marks) -> list[tuple[str, str]]:
    found = []
    if marks.hidden_runs:
        found.append(("hidden_text", f"{marks.hidden_runs} run(s) of text are hidden in the source; they are read"))
    if marks.embedded:
        found.append(("embedded_object", f"{marks.embedded} embedded object(s) were not read"))
    if marks.alternative_chunks:
        found.append(("imported_document", f"{marks.alternative_chunks} imported document(s) were not read"))
    return found
