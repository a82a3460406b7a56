"""JSON Lines: ``chunks.jsonl``, whose first line is the header and every other one a chunk with its vectors."""

from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts.base import canonical_json
from indx_core.knowledge.export.records import header, records

if TYPE_CHECKING:
    from indx_core.knowledge.space import KnowledgeSpace

FILE = "chunks.jsonl"


class JsonlWriter:
    """Fits the slot ``output``."""

    def write(self, space: "KnowledgeSpace", out: Path) -> None:
        """Write ``chunks.jsonl`` into the folder ``out``. Vectors are by embedding space."""
        with (out / FILE).open("w", encoding="utf-8", newline="\n") as file:
            file.write(canonical_json(header(space)) + "\n")
            for at, record in records(space):
                found = {name: each.of_chunk(at) for name, each in space.vectors.items()}
                record["vectors"] = {name: vector for name, vector in found.items() if vector is not None}
                file.write(canonical_json(record) + "\n")
