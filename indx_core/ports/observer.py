"""Observer: looks at a document without reading it. Cheap, local, deterministic; opens no network and no engine."""

from typing import Protocol, runtime_checkable

from indx_core.contracts.observation import Finding, PageObservation
from indx_core.ports.document import OpenDocument


class Observed:
    """An observer's answer: pages numbered from 1, findings, declared properties.

    Attributes:
        pages: Every page the format states, in order.
        findings: What tolerant parsing repaired.
        properties: What the format declares of itself, verbatim.
    """

    __slots__ = ("findings", "pages", "properties")

    def __init__(
        self,
        pages: tuple[PageObservation, ...],
        findings: tuple[Finding, ...] = (),
        properties: dict[str, str] | None = None,
    ) -> None:
        self.pages = pages
        self.findings = findings
        self.properties = properties or {}


@runtime_checkable
class Observer(Protocol):
    """Recognises and observes the media types it declares.

    Attributes:
        distribution: Component name, such as ``indx-observer-pdf``.
        media_types: What it can observe.
    """

    distribution: str
    media_types: tuple[str, ...]

    def sniff(self, data: bytes) -> str | None:
        """The media type of these bytes, or ``None`` when they are not its own.

        Sees the whole content (an OOXML package is known by the member list at its end). A format without a signature
        returns ``None`` always: text would claim JSON, XML and HTML on the way past.
        """
        ...

    def observe(self, document: OpenDocument) -> Observed:
        """Pages, signals and findings.

        Raises:
            SourceEncrypted: It needs a password.
            SourceUnreadable: It is not what it claims to be, or is damaged beyond opening.
        """
        ...
