"""The one page enumerator of text: observer and reader number the same pages, decoded once per document."""

from indx_core.formats.text.decode import Decoded, decode
from indx_core.formats.text.settings import TextSettings
from indx_core.ports.document import OpenDocument

PLAIN = "text/plain"
DELIMITERS = {"text/csv": ",", "text/tab-separated-values": "\t"}
"""The media type names the delimiter; it is never sniffed."""

MEDIA_TYPES = (PLAIN, *DELIMITERS)


def decoded(document: OpenDocument) -> Decoded:
    """The text of a document.

    Raises:
        SettingsInvalid: ``INDX_TEXT_ENCODING`` names an encoding Python does not know.
        SourceUnreadable: It does not decode.
    """
    return document.once("text.decoded", lambda: decode(document.data, TextSettings.load().encoding))


def page_texts(document: OpenDocument) -> list[str]:
    """Texts by page: what form feeds separate in plain text, the whole of a delimited file. Never empty."""
    text = decoded(document).text
    return document.once("text.pages", lambda: text.split("\f") if document.media_type == PLAIN else [text])
