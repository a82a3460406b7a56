"""A page's text as it is put together, with the lines that say where each part of it stands.

Order on every Office page: the body first, then what stands beside it as labelled blocks (``[header] …``,
``[footnote] …``, ``[comment by …] …``, ``[notes] …``), so that a body reads through without interruption.
"""

from indx_core.contracts.page import Box, BoxReason, TextLine


class PageText:
    """Collects text and lines; nothing is ever taken back."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._lines: list[TextLine] = []
        self._length = 0
        self._gap = False

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._parts)

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """The lines so far."""
        return tuple(self._lines)

    def add(self, text: str, box: Box | None = None, reason: BoxReason | None = BoxReason.NO_GEOMETRY) -> None:
        """Add a block that has one place: one line, however many breaks it holds. Blank text adds nothing."""
        if not text.strip():
            return
        if self._parts:
            self._append("\n\n" if self._gap else "\n")
        self._gap = False
        start = self._length
        self._append(text)
        self._lines.append(TextLine(start, self._length, box, reason))

    def add_lines(self, text: str) -> None:
        """Add text whose every line stands for itself, in a format without positions.

        Blank lines between two that are not become one; at either end there are none.
        """
        for line in text.split("\n"):
            if line.strip():
                self.add(line)
            else:
                self._gap = True

    def add_block(self, label: str, text: str) -> None:
        """Add a labelled block after the body; nothing when it is blank."""
        self._gap = False
        if text.strip():
            self.add_lines(f"[{label}] {text.strip()}")

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
