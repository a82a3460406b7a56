"""JPEG, PNG and TIFF: everything this family contributes. Their text is an engine's business, so there is no reader.

The one page enumerator (``kit/render/tiff.py``) lies below, where recognition and page images count with it too.
"""

from indx_core.formats.image.chunker import ImageChunker
from indx_core.formats.image.observer import ImageObserver
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=[ImageObserver()], chunkers=[ImageChunker()])
