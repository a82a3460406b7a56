"""How documents of a corpus relate: the tree, what they refer to, what they repeat, what they are versions of.

Belongs here: finding edges, each with its evidence and weight. Does not: reading the lake, and keeping what was found
(``knowledge/space``). The cost of every step grows about linearly with the documents and their text: names are looked
up, never compared in pairs, and near-duplicates meet in the buckets of a locality-sensitive hash.
"""

from indx_core.knowledge.relations.documents import Edges, PageLink, Passage, RelatedDocument
from indx_core.knowledge.relations.relate import relate

__all__ = ["Edges", "PageLink", "Passage", "RelatedDocument", "relate"]
