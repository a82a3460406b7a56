"""Office documents: Word, Excel and PowerPoint, with and without macros, transitional and strict (ECMA-376).

One family: the three share the package layer (``kit/ooxml``), one observer and one reader. ``word``, ``sheet`` and the
slides of ``kit/ooxml`` each hold the one enumerator of their pages.
"""

from indx_core.formats.office.chunker import SlideChunker
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=(OfficeObserver(),), readers=(OfficeReader(),), chunkers=(SlideChunker(),))
