"""A small space made by hand: two folders, three documents, vectors for some chunks."""

from typing import Any

import numpy as np

from indx_core.contracts.knowledge import Chunk, Document, Relation, RelationType, Source
from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors


def chunk(number: int, doc: int, index: int, path: str, text: str, **fields: Any) -> Chunk:
    folder = path.rpartition("/")[0]
    source = Source(path=path, folder=folder, type="policy")
    return Chunk(id=f"chunk_{number:04d}", text=text, source=source, doc_id=f"doc_{doc:04d}", index=index, **fields)


def document(number: int, path: str, chunks: list[str], **fields: Any) -> Document:
    folder, _, _ = path.rpartition("/")
    lineage = folder.split("/") if folder else []
    fields = {"type": "policy", **fields}
    return Document(id=f"doc_{number:04d}", path=path, folder=folder, lineage=lineage, chunk_ids=chunks, **fields)


def small_space(*, vectors: bool = True) -> KnowledgeSpace:
    refers = Relation(type=RelationType.REFERENCES, to="legal/gdpr.md", weight=1.0, evidence="link: ../legal/gdpr.md")
    link = {"target": "../legal/gdpr.md", "text": "the regulation", "page": 1}
    space = KnowledgeSpace(
        root="/data/tree",
        documents=[
            document(1, "legal/gdpr.md", ["chunk_0001"], metadata={"byte_count": 10}),
            document(
                2,
                "policies/保存期間.pdf",
                ["chunk_0002", "chunk_0003"],
                references=[Relation(type=RelationType.REFERENCES, to="doc_0001", weight=1.0)],
                metadata={"byte_count": 20, "links": [link]},
            ),
            document(3, "policies/empty.txt", [], type="text"),
        ],
        chunks=[
            chunk(1, 1, 0, "legal/gdpr.md", "The regulation as adopted"),
            chunk(
                2, 2, 0, "policies/保存期間.pdf", "保存期間は九十日とする", neighbors=["chunk_0003"], relations=[refers]
            ),
            chunk(3, 2, 1, "policies/保存期間.pdf", "Enterprise data is kept 90 days", neighbors=["chunk_0002"]),
        ],
        relations=[
            Relation(type=RelationType.PARENT, from_id="doc_0001", to="legal"),
            Relation(type=RelationType.REFERENCES, from_id="doc_0002", to="doc_0001", weight=1.0),
        ],
        metadata={"tool": "indx"},
    )
    if not vectors:
        return space
    matrix = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, -0.25]], np.float32)
    return space.with_vectors([SpaceVectors("default-text", matrix, np.array([0, 2], np.int32), {"dimension": 3})])
