"""What documents refer to, and what refers to them, out of the edges between documents. Finds no edge."""

from collections.abc import Iterable, Sequence

from indx_core.contracts.knowledge import Document, Relation, RelationType


def referring(documents: Sequence[Document], graph: Iterable[Relation]) -> list[Document]:
    """Documents with ``references`` and, the same edges reversed, ``referenced_by``."""
    to: dict[str, list[Relation]] = {}
    by: dict[str, list[Relation]] = {}
    for edge in graph:
        if edge.type is RelationType.REFERENCES and edge.from_id is not None:
            to.setdefault(edge.from_id, []).append(edge.model_copy(update={"from_id": None}))
            by.setdefault(edge.to, []).append(edge.model_copy(update={"from_id": None, "to": edge.from_id}))
    return [
        document.model_copy(update={"references": to.get(document.id, []), "referenced_by": by.get(document.id, [])})
        for document in documents
    ]
