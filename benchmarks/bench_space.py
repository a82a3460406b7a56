"""Growth of relating and packing with the corpus, and near-duplicates found on generated edits.

Run from the root: ``.venv/bin/python benchmarks/bench_space.py [--documents 1000 5000 20000]``. Documents are generated
from a seed, half English and half Japanese, some 2,000 characters each with a reference every third. Nothing is read
from or written to a corpus.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indx_core.contracts.knowledge import Chunk, Document, RelationType, Source
from indx_core.knowledge.relations import Edges, Passage, RelatedDocument, relate
from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors, ids

DIMENSION = 384
CHUNKS = 4
ENGLISH = ("report", "measured", "value", "pressure", "annual", "notice", "contract", "section", "payment", "supplier")
JAPANESE = (
    "報告",
    "測定",
    "年次",
    "通知",
    "契約",
    "条項",
    "支払",
    "取引先",
    "記録",
    "監査",
    "税務",
    "規程",
    "保存",
    "期間",
)


def words(generator: random.Random, pool: Sequence[str], count: int) -> list[str]:
    """Words with numbers between them, so that two documents share vocabulary and not sentences."""
    return [f"{generator.choice(pool)}{generator.randrange(1000)}" for _ in range(count)]


def text(number: int, generator: random.Random) -> str:
    """One document; every third one names the one before it."""
    japanese = number % 2 == 0
    body = ("" if japanese else " ").join(words(generator, JAPANESE if japanese else ENGLISH, 300))
    return f"{body} see file_{number - 1}.txt for the rest" if number % 3 == 0 else body


def corpus(count: int) -> list[RelatedDocument]:
    """A hundred documents a folder."""
    generator = random.Random(7)
    found = []
    for number in range(count):
        whole = text(number, generator)
        size = len(whole) // CHUNKS + 1
        parts = [whole[at : at + size] for at in range(0, len(whole), size)]
        passages = tuple(Passage(ids.chunk_id(number * CHUNKS + n + 1), part) for n, part in enumerate(parts))
        path = f"folder_{number // 100}/file_{number}.txt"
        found.append(RelatedDocument(ids.document_id(number + 1), path, passages=passages))
    return found


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Result and CPU seconds."""
    started = time.process_time()
    result = work()
    return result, time.process_time() - started


def space_of(documents: Sequence[RelatedDocument], found: Edges) -> KnowledgeSpace:
    """The documents as a space with vectors and edges."""
    chunks = [
        Chunk(
            id=passage.chunk_id,
            text=passage.text,
            source=Source(path=document.path, folder=document.folder, type="text"),
            doc_id=document.id,
            index=index,
            relations=found.chunks.get(passage.chunk_id, []),
        )
        for document in documents
        for index, passage in enumerate(document.passages)
    ]
    values = [Document(id=each.id, path=each.path, folder=each.folder, type="text") for each in documents]
    space = KnowledgeSpace(root="/", documents=values, chunks=chunks, relations=found.graph)
    matrix = np.random.default_rng(7).standard_normal((len(chunks), DIMENSION), np.float32)
    return space.with_vectors([SpaceVectors("model", matrix, np.arange(len(chunks), dtype=np.int32))])


def growth(counts: Sequence[int]) -> None:
    print("| documents | relate CPU s | ms a document | pack CPU s | archive MB | load CPU s |")
    print("|---|---|---|---|---|---|")
    for count in counts:
        documents = corpus(count)
        edges, related = timed(lambda documents=documents: relate(documents))
        space = space_of(documents, edges)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "space.indx"
            _, packed = timed(lambda space=space, path=path: space.save(path))
            _, loaded = timed(lambda path=path: KnowledgeSpace.load(path))
            size = path.stat().st_size / 1e6
        print(f"| {count:,} | {related:.2f} | {related / count * 1e3:.2f} | {packed:.2f} | {size:.1f} | {loaded:.2f} |")


def edited(whole: list[str], share: float, generator: random.Random) -> list[str]:
    """A share of the words replaced."""
    return ["other" + str(generator.randrange(9999)) if generator.random() < share else word for word in whole]


def near_duplicates(pairs: int) -> None:
    print("\n| edited words | pairs | found | precision of what was found |")
    print("|---|---|---|---|")
    for share in (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4):
        generator = random.Random(11)
        documents = []
        for number in range(pairs):
            whole = words(generator, ENGLISH, 300)
            for copy, content in enumerate((whole, edited(whole, share, generator))):
                name = f"{number:05d}_{copy}"
                passage = Passage(f"c{name}", " ".join(content))
                documents.append(RelatedDocument(f"d{name}", f"{name}.txt", passages=(passage,)))
        found = [edge for edge in relate(documents).graph if edge.type is RelationType.DUPLICATE_OF]
        right = [edge for edge in found if (edge.from_id or "")[:6] == edge.to[:6]]
        precision = f"{len(right) / len(found):.3f}" if found else "-"
        print(f"| {share:.0%} | {pairs} | {len(right) / pairs:.3f} | {precision} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[1000, 5000, 20000])
    parser.add_argument("--pairs", type=int, default=500)
    asked = parser.parse_args()
    growth(asked.documents)
    near_duplicates(asked.pairs)


if __name__ == "__main__":
    main()
