"""The memo format: a line ``MEMO``, then pages separated by lines of three dashes.

``memo:`` URIs hold the text itself, ``/`` for a line end and ``memo:!`` for a memo that does not exist.
"""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.contracts.observation import PageObservation, TextLayer
from indx_core.contracts.page import PageOutput
from indx_core.contracts.source import LoadedSource
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

MEDIA_TYPE = "text/x-memo"
MAGIC = b"MEMO\n"


class MemoLoader:
    distribution = "indx-plugin-memo"
    schemes = ("memo",)

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        text = uri.partition(":")[2]
        if text == "!":
            raise SourceUnreadable("there is no such memo")
        data = MAGIC + text.replace("/", "\n").encode()
        if max_bytes is not None and len(data) > max_bytes:
            raise InputTooLarge("the memo is too long")
        return LoadedSource(data, uri, loader=self.distribution)


class MemoObserver:
    distribution = "indx-plugin-memo"
    media_types = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        return MEDIA_TYPE if data.startswith(MAGIC) else None

    def observe(self, document: OpenDocument) -> Observed:
        numbers = range(1, len(_pages(document)) + 1)
        return Observed(tuple(PageObservation(number=n, text_layer=TextLayer.PRESENT) for n in numbers))


class MemoReader:
    descriptor = CapabilityDescriptor(
        id="memo-extraction",
        kind=CapabilityKind.NATIVE,
        media_types=(MEDIA_TYPE,),
        distribution="indx-plugin-memo",
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        texts = dict(enumerate(_pages(document), start=1))
        for number in pages:
            if number in texts:
                yield PageOutput(number, text=texts[number])


def _pages(document: OpenDocument) -> list[str]:
    return document.data.removeprefix(MAGIC).decode().split("\n---\n")
