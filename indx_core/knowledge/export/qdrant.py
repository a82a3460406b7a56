"""Points for a Qdrant collection: the bodies of the requests that make and fill one. Talks to no server.

``collection.json`` is the body of ``PUT /collections/{name}``; each line of ``points.jsonl`` one of
``PUT /collections/{name}/points``. Named vectors are called like their embedding spaces; a point's id is the number of
its chunk, because Qdrant takes unsigned integers and UUIDs only.
"""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indx_core.contracts.base import canonical_json
from indx_core.knowledge.export.records import header, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indx_core.knowledge.space import KnowledgeSpace

COLLECTION, POINTS, HEADER = "collection.json", "points.jsonl", "space.json"
BATCH = 100
"""Points per request: well below Qdrant's limit of 32 MB a request at any dimension in use."""


class QdrantWriter:
    """Fits the slot ``output``."""

    def write(self, space: "KnowledgeSpace", out: Path) -> None:
        """Write the request bodies, and ``space.json`` which says how to encode a query, into the folder ``out``."""
        sizes = {name: {"size": each.dimension, "distance": "Cosine"} for name, each in space.vectors.items()}
        (out / COLLECTION).write_text(canonical_json({"vectors": sizes}), encoding="utf-8")
        (out / HEADER).write_text(canonical_json(header(space)), encoding="utf-8")
        with (out / POINTS).open("w", encoding="utf-8", newline="\n") as file:
            points = _points(space)
            while batch := list(islice(points, BATCH)):
                file.write(canonical_json({"points": batch}) + "\n")


def _points(space: "KnowledgeSpace") -> "Iterator[dict[str, Any]]":
    for at, record in records(space):
        found = {name: each.of_chunk(at) for name, each in space.vectors.items()}
        vectors = {name: vector for name, vector in found.items() if vector is not None}
        yield {"id": at + 1, "vector": vectors, "payload": record}
