"""All edges of a corpus, each kind found by its own module, in one deterministic order. Finds none itself."""

from collections.abc import Sequence

from indx_core.contracts.knowledge import Relation
from indx_core.knowledge.relations import duplicates, mail, references, tree, versions
from indx_core.knowledge.relations.documents import Edges, RelatedDocument
from indx_core.knowledge.relations.sketch import sketches


def relate(documents: Sequence[RelatedDocument]) -> Edges:
    """Find every edge.

    Args:
        documents: Of one corpus, in the order of their ids.
    """
    drawn = sketches(documents)
    found, by_chunk = references.references(documents)
    graph = [
        *tree.parents(documents),
        *tree.siblings(documents),
        *versions.versions(documents, drawn),
        *strongest([*mail.threads(documents), *found]),
        *duplicates.duplicates(documents, drawn),
    ]
    chunks = tree.continuations(documents)
    for chunk_id, edges in by_chunk.items():
        chunks.setdefault(chunk_id, []).extend(edges)
    return Edges(sorted(graph, key=_order), chunks)


def strongest(edges: Sequence[Relation]) -> list[Relation]:
    """One edge per source and target, the one of most weight; of equals, the first found."""
    best: dict[tuple[str | None, str], Relation] = {}
    for edge in edges:
        held = best.setdefault((edge.from_id, edge.to), edge)
        if (edge.weight or 0.0) > (held.weight or 0.0):
            best[edge.from_id, edge.to] = edge
    return list(best.values())


def _order(edge: Relation) -> tuple[str, str, str]:
    return edge.type.value, edge.from_id or "", edge.to
