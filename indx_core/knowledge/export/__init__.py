"""A space for somebody else's index: JSONL, Parquet, and points for a Qdrant collection.

Every form says which embedding space its vectors are of and what a query has to be encoded with, so that it can be
asked without this software. Belongs here: forms of other systems. Does not: our own archive (``knowledge/archive``).
"""

from indx_core.knowledge.export.jsonl import JsonlWriter
from indx_core.knowledge.export.parquet import ParquetWriter
from indx_core.knowledge.export.qdrant import QdrantWriter

__all__ = ["JsonlWriter", "ParquetWriter", "QdrantWriter"]
