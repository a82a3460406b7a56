"""The visible text of an HTML body: what a mail program would show, as lines.

Block elements break lines, the cells of a table row stand on one line with tabs between them, list items get a dash or
their number. Scripts, styles, comments, the head and whatever the markup hides are left out; nothing is fetched. Not a
renderer: style sheets are not applied, only an element's own ``style`` is looked at.
"""

import re
from collections import Counter
from html.parser import HTMLParser

_SKIPPED = {"script", "style", "head", "title", "template", "object", "applet", "iframe", "svg", "select", "textarea"}
_VOID = {"br", "hr", "img", "input", "meta", "link", "wbr", "col", "area", "base", "embed", "source", "track", "param"}
_BLOCKS = {
    "address",
    "article",
    "aside",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "menu",
    "nav",
    "section",
    "summary",
    "tbody",
    "tfoot",
    "thead",
    "tr",
}
_PARAGRAPHS = {"blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "table", "ul"}
_CLOSED_BY_THEMSELVES = {"p", "li", "tr", "td", "th", "dt", "dd"}
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0+(?:\.0+)?(?![\d.])",
    re.IGNORECASE,
)
# Zero-width fillers that newsletters pad their preview line with: no text.
_FILLERS = str.maketrans("", "", "\u00ad\u034f\u200b\u200c\u2060\ufeff")
_SPACES = re.compile(r"[ \t\r\n\f\xa0]+")
_DEPTH_LIMIT = 1_000


def visible_text(markup: str) -> str:
    """Lines of visible text; at most one empty line in a row, none at either end."""
    parser = _Visible()
    markup = _without_comments(markup)
    # Nothing behind the last `>` can be a tag, and the parser would look for the end of each `<` there up to the end.
    last = markup.rfind(">") + 1
    parser.feed(markup[:last] + markup[last:].replace("<", "&lt;"))
    parser.close()
    return parser.text()


def declared_charset(markup: bytes) -> str | None:
    """The charset a ``meta`` element names, for a part whose header names none."""
    found = re.search(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]{2,40})", markup[:8192], re.IGNORECASE)
    return found.group(1).decode("ascii", "ignore") if found else None


class _Lines:
    """Lines under construction. A break is held back until text follows, so adjacent blocks break once.

    Attributes:
        done: Finished lines.
        line: Pieces of the line being written; a list, since adding to a long string copies it every time.
        pending: The break held back: 1 for a line, 2 for an empty line between.
        fresh: Whether the line ends with a bullet or a cell's tab, which the text to come belongs to.
        cell: Number of finished lines where the last table cell began.
    """

    def __init__(self) -> None:
        self.done: list[str] = []
        self.line: list[str] = []
        self.pending = 0
        self.fresh = False
        self.cell: int | None = None

    def ask(self, breaks: int) -> None:
        """Break before the next text. A bullet and a cell keep their first line."""
        if self.line and not self.fresh:
            self.pending = max(self.pending, breaks)

    def end(self) -> None:
        """Break now, as ``br`` does, even on an empty line."""
        if self.pending:
            self.pending = 2
        else:
            self._finish()

    def write(self, text: str) -> None:
        """Running text; white space at the start of a line is none."""
        if not text.strip() and (self.pending or not self.line):
            return
        self.settle()
        self.line.append(text if self.line else text.lstrip())
        self.fresh = False

    def write_preformatted(self, text: str) -> None:
        """Text whose own line breaks and spaces count."""
        self.settle()
        first, *rest = text.replace("\r\n", "\n").split("\n")
        self.line.append(first)
        for part in rest:
            self._finish()
            self.line.append(part)

    def start_item(self, bullet: str) -> None:
        """A list item begins."""
        self.settle()
        self.line.append(bullet)
        self.fresh = True

    def start_cell(self) -> None:
        """A tab after a cell of one line; a cell of several lines is left standing above the next."""
        if self.cell == len(self.done) and self.line:
            self.pending = 0
            self.line.append("\t")
        else:
            self.ask(1)
            self.settle()
        self.fresh = True
        self.cell = len(self.done)

    def settle(self) -> None:
        """Carry out the break held back."""
        if self.pending:
            self._finish()
            if self.pending == 2:
                self.done.append("")
        self.pending = 0

    def lines(self) -> list[str]:
        """All lines, the unfinished last one included."""
        return [*self.done, "".join(self.line)]

    def _finish(self) -> None:
        self.done.append("".join(self.line))
        self.line.clear()
        self.fresh = False


class _Visible(HTMLParser):
    """Feeds the lines; ``hidden`` counts the open elements whose content is not shown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = _Lines()
        self.open: list[tuple[str, bool]] = []
        self.depth: Counter[str] = Counter()
        self.hidden = 0
        self.preformatted = 0
        self.lists: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self._void(tag)
            return
        if tag in _CLOSED_BY_THEMSELVES and self.open and self.open[-1][0] == tag:
            self.handle_endtag(tag)  # HTML lets the end tag of these be left out
        if len(self.open) >= _DEPTH_LIMIT:
            return
        hides = tag in _SKIPPED or _hides(dict(attrs))
        self.open.append((tag, hides))
        self.depth[tag] += 1
        self.hidden += hides
        self.preformatted += tag == "pre"
        if tag in {"ol", "ul"}:
            self.lists.append(1 if tag == "ol" else None)
        if not self.hidden:
            self._start(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.depth[tag]:
            return
        name = ""
        while name != tag:
            name, hides = self.open.pop()
            self.depth[name] -= 1
            if not self.hidden:
                self._block(name)
            self.hidden -= hides
            self.preformatted -= name == "pre"
            if name in {"ol", "ul"}:
                self.lists.pop()

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        data = data.translate(_FILLERS)
        if self.preformatted:
            self.lines.write_preformatted(data)
        else:
            self.lines.write(_SPACES.sub(" ", data))

    def unknown_decl(self, data: str) -> None:
        """``<![if !mso]>``: a condition for one mail program; the text inside is for all others."""

    def text(self) -> str:
        """What was collected."""
        lines: list[str] = []
        for line in self.lines.lines():
            tidy = re.sub(r" *\t[\t ]*", "\t", line.rstrip())
            if tidy or (lines and lines[-1]):
                lines.append(tidy)
        return "\n".join(lines).strip("\n")

    def _start(self, tag: str) -> None:
        self._block(tag)
        if tag == "li":
            self.lines.start_item(self._bullet())
        elif tag in {"td", "th"}:
            self.lines.start_cell()
        elif tag == "tr":
            self.lines.settle()
            self.lines.cell = None

    def _void(self, tag: str) -> None:
        if self.hidden:
            return
        if tag == "br":
            self.lines.end()
        else:
            self._block(tag)

    def _block(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            nested_list = tag in {"ol", "ul"} and len(self.lists) > 1
            self.lines.ask(1 if nested_list else 2)
        elif tag in _BLOCKS:
            self.lines.ask(1)

    def _bullet(self) -> str:
        number = self.lists[-1] if self.lists else None
        if number is None:
            return "- "
        self.lists[-1] = number + 1
        return f"{number}. "


def _hides(attributes: dict[str, str | None]) -> bool:
    return "hidden" in attributes or bool(_HIDING_STYLE.search(attributes.get("style") or ""))


def _without_comments(markup: str) -> str:
    """Comments cut out in one pass: the parser of Python 3.11 looks for their ends again and again."""
    pieces, position = [], 0
    while (start := markup.find("<!--", position)) >= 0:
        pieces.append(markup[position:start])
        end = markup.find("-->", start + 4)
        if end < 0:
            return "".join(pieces)
        position = end + 3
    return "".join([*pieces, markup[position:]])
