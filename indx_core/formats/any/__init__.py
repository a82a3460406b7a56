"""What serves every media type: a person as the last reader, and the two chunkers that know no format.

Asked after the folders that know a format. Does not open any document.
"""

from indx_core.formats.any.chunkers import LinesChunker, PageChunker
from indx_core.formats.any.manual import ManualReviewReader
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(readers=(ManualReviewReader(),), chunkers=(LinesChunker(), PageChunker()))
