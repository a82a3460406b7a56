"""The knowledge space: one object that holds documents, chunks, their edges and vectors, and can be asked.

Belongs here: the space, its ``index.json``, its ids, and how it is built from the lake. Does not: the archive's format
(``knowledge/archive``) and how edges are found (``knowledge/relations``).
"""

from indx_core.knowledge.space.space import KnowledgeSpace
from indx_core.knowledge.space.vectors import SpaceVectors

__all__ = ["KnowledgeSpace", "SpaceVectors"]
