"""Plain text, CSV and TSV: bytes that decode, pages that form feeds separate.

Here are the decoding, the observer and the reader, which share one list of pages (``pages.py``). Encodings are never
guessed and delimiters never sniffed.
"""

from indx_core.formats.text.observer import TextObserver
from indx_core.formats.text.reader import TextReader
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=(TextObserver(),), readers=(TextReader(),))
