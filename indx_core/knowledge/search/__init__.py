"""Search over the lake: lexical and vector scores of every chunk, fused, with the place each hit stands.

Belongs here: terms, BM25, exact cosine, fusion. Does not: embedding the query, which the caller does in the space it
names, and questions in SQL (``knowledge/sql``).
"""

from indx_core.knowledge.search.query import Hit, SearchFilters, search

__all__ = ["Hit", "SearchFilters", "search"]
