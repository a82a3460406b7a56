"""The one page enumerator of text: observer and reader number the same pages, decoded once per document."""

from indx_core.contracts.errors import SourceUnreadable
from indx_core.formats.text.decode import Decoded, decode
from indx_core.formats.text.settings import TextSettings
from indx_core.ports.document import OpenDocument

PLAIN = "text/plain"
DELIMITERS = {"text/csv": ",", "text/tab-separated-values": "\t"}
"""The media type names the delimiter; it is never sniffed."""

MAX_PAGES = 100_000
"""A megabyte of form feeds would otherwise be a million pages, each observed, planned and recorded."""

MEDIA_TYPES = (PLAIN, *DELIMITERS)


def decoded(document: OpenDocument) -> Decoded:
    """The text of a document.

    Raises:
        SettingsInvalid: ``INDX_TEXT_ENCODING`` names an encoding Python does not know.
        SourceUnreadable: It does not decode.
    """
    return document.once("text.decoded", lambda: decode(document.data, TextSettings.load().encoding))


def page_texts(document: OpenDocument) -> list[str]:
    """Texts by page: what form feeds separate in plain text, the whole of a delimited file. Never empty.

    Raises:
        SettingsInvalid: As ``decoded``.
        SourceUnreadable: As ``decoded``; or it has more than ``MAX_PAGES`` pages.
    """
    return document.once("text.pages", lambda: _split(decoded(document).text, document.media_type))


def _split(text: str, media_type: str) -> list[str]:
    if media_type != PLAIN:
        return [text]
    if text.count("\f") >= MAX_PAGES:
        raise SourceUnreadable(
            f"the text has more than {MAX_PAGES} pages, counted by its form feeds", remedy="split it"
        )
    return text.split("\f")
