"""The chaos format: a line ``CHAOS``, optionally followed by what happens outside the reader, then pages.

    CHAOS observe=segfault
    ok the text of page one
    ---
    hang

The first word of a page is its directive (see ``_DIRECTIVES``). ``observe`` and ``chunk`` take the same words.
"""

import ctypes
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.observation import PageObservation, TextLayer
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

MEDIA_TYPE = "text/x-chaos"
MAGIC = b"CHAOS"
STEP_BYTES = 2**22


class ChaosObserver:
    distribution = "indx-plugin-chaos"
    media_types = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        return MEDIA_TYPE if data.startswith(MAGIC) else None

    def observe(self, document: OpenDocument) -> Observed:
        _obey(document, "observe")
        numbers = range(1, len(_pages(document)) + 1)
        return Observed(tuple(PageObservation(number=n, text_layer=TextLayer.PRESENT) for n in numbers))


class ChaosReader:
    descriptor = CapabilityDescriptor(
        id="chaos-reader",
        kind=CapabilityKind.NATIVE,
        media_types=(MEDIA_TYPE,),
        distribution="indx-plugin-chaos",
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        texts = _pages(document)
        for number in pages:
            directive, _, rest = texts[number - 1].partition(" ")
            answer = _DIRECTIVES[directive](rest)
            if directive == "wrong":
                yield PageOutput(len(texts) + number, text="of another page")
            elif directive == "failed":
                yield PageOutput(number, PageStatus.FAILED, reason="smudged")
            else:
                yield PageOutput(number, text=answer)


class ChaosChunker:
    id = "chaos"
    distribution = "indx-plugin-chaos"
    media_types = (MEDIA_TYPE,)
    fallback = False

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        _obey(document, "chunk")
        return {
            page.number: [ChunkPiece(page.text, reason=BoxReason.NO_GEOMETRY)]
            for page in pages
            if page.status is PageStatus.COMPLETED
        }


def _text(rest: str) -> str:
    return rest or "text"


def _raise(_: str) -> str:
    raise ZeroDivisionError("a defect of the reader")


def _segfault(_: str) -> str:
    ctypes.string_at(0)
    return ""


def _abort(_: str) -> str:
    os.abort()


def _exit(_: str) -> str:
    os._exit(0)


def _hang(_: str) -> str:
    """Never returns from C, with the interpreter lock held: no signal handler and no thread of Python runs again."""
    while True:
        ctypes.PyDLL(None).sleep(1000)


def _memory(_: str) -> str:
    """Take memory step by step until somebody stops it."""
    taken = []
    while True:
        taken.append(bytearray(b"x") * STEP_BYTES)


def _allocate(_: str) -> str:
    """Ask for more than there is in one step."""
    return str(len(bytearray(2**44)))


def _kill(_: str) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def _wait(rest: str) -> str:
    """Write the process id to a file and wait to be killed; once the file is there, read like any other page."""
    note = Path(rest)
    if not note.exists():
        note.with_suffix(".tmp").write_text(str(os.getpid()))
        note.with_suffix(".tmp").rename(note)
        time.sleep(60)
    return "waited"


def _slow(_: str) -> str:
    time.sleep(0.5)
    return "slow"


_DIRECTIVES: Mapping[str, Callable[[str], str]] = {
    "ok": _text,
    "raise": _raise,
    "segfault": _segfault,
    "abort": _abort,
    "exit": _exit,
    "hang": _hang,
    "memory": _memory,
    "allocate": _allocate,
    "kill": _kill,
    "wait": _wait,
    "wrong": _text,
    "failed": _text,
    "slow": _slow,
}


def _head(document: OpenDocument) -> tuple[str, str]:
    head, _, body = document.data.decode().partition("\n")
    return head, body


def _pages(document: OpenDocument) -> list[str]:
    return _head(document)[1].split("\n---\n")


def _obey(document: OpenDocument, step: str) -> None:
    for word in _head(document)[0].split()[1:]:
        name, _, directive = word.partition("=")
        if name == step:
            _DIRECTIVES[directive]("")
