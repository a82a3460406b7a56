"""Search: lexical and vector scores of every passage, fused, with the place of each hit, over the lake or a space.

Belongs here: terms, BM25, cosine, fusion, filters, and the index that is kept of a lake. Does not: embedding the query,
which the caller does in the space it names, and questions in SQL (``knowledge/sql``).
"""

from indx_core.knowledge.search.filters import SearchFilters
from indx_core.knowledge.search.query import Hit, hit_of_space, search

__all__ = ["Hit", "SearchFilters", "hit_of_space", "search"]
