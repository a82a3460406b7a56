"""Growth of relating and packing with the corpus, archive size, and near-duplicates found on generated edits.

Run from the root: ``.venv/bin/python benchmarks/bench_space.py [--documents 1000 20000]``. Documents are generated
from a seed, half English and half Japanese, some 2,000 characters each with a reference every third. Nothing is read
from or written to a corpus.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indx_core.contracts.knowledge import Chunk, Document, RelationType, Source
from indx_core.knowledge.relations import Edges, Passage, RelatedDocument, relate
from indx_core.knowledge.relations.duplicates import THRESHOLD
from indx_core.knowledge.relations.sketch import SHINGLE
from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors, ids

Edit = Callable[[list[str], random.Random], list[str]]

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
    """CPU and archive size of corpora of one kind, whole and per 1,000 documents."""
    print("| documents | relate CPU s | ms a document | pack CPU s | per 1,000 | archive MB | per 1,000 | load CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    for count in counts:
        documents = corpus(count)
        edges, related = timed(lambda documents=documents: relate(documents))
        space = space_of(documents, edges)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "space.indx"
            _, packed = timed(lambda space=space, path=path: space.save(path))
            _, loaded = timed(lambda path=path: KnowledgeSpace.load(path))
            size = path.stat().st_size / 1e6
        thousands = count / 1000
        print(
            f"| {count:,} | {related:.2f} | {related / count * 1e3:.2f} | {packed:.2f} | {packed / thousands:.2f} |"
            f" {size:.1f} | {size / thousands:.1f} | {loaded:.2f} |",
            flush=True,
        )


def replaced(share: float) -> Edit:
    """A share of the words replaced."""

    def edit(whole: list[str], generator: random.Random) -> list[str]:
        return ["other" + str(generator.randrange(9999)) if generator.random() < share else word for word in whole]

    return edit


def without(share: float) -> Edit:
    """One passage cut out."""

    def edit(whole: list[str], generator: random.Random) -> list[str]:
        length = int(len(whole) * share)
        at = generator.randrange(len(whole) - length)
        return whole[:at] + whole[at + length :]

    return edit


def inserted(share: float) -> Edit:
    """One new passage put in."""

    def edit(whole: list[str], generator: random.Random) -> list[str]:
        at = generator.randrange(len(whole))
        return whole[:at] + words(generator, ENGLISH, int(len(whole) * share)) + whole[at:]

    return edit


def moved(whole: list[str], generator: random.Random) -> list[str]:
    """The text cut in four, and the quarters in another order."""
    size = len(whole) // 4
    parts = [whole[at : at + size] for at in range(0, size * 4, size)]
    generator.shuffle(parts)
    return [word for part in parts for word in part] + whole[size * 4 :]


def recognised(whole: list[str], generator: random.Random) -> list[str]:
    """Every fiftieth character misread, as a poor scan gives it."""
    swaps = str.maketrans("olse0", "01530")
    return [word.translate(swaps) if generator.random() < 0.08 else word for word in whole]


def form(whole: list[str], generator: random.Random) -> list[str]:
    """No copy, but the same form filled in anew: a third of its words, in a dozen places."""
    fields = [generator.randrange(len(whole) - 8) for _ in range(len(whole) // 24)]
    filled = list(whole)
    for at in fields:
        filled[at : at + 8] = words(generator, ENGLISH, 8)
    return filled


EDITS: dict[str, Edit] = {
    "nothing": replaced(0.0),
    "1% of the words replaced": replaced(0.01),
    "2% of the words replaced": replaced(0.02),
    "5% of the words replaced": replaced(0.05),
    "10% of the words replaced": replaced(0.1),
    "20% of the words replaced": replaced(0.2),
    "a passage of 5% cut out": without(0.05),
    "a passage of 15% cut out": without(0.15),
    "a passage of 5% put in": inserted(0.05),
    "a passage of 15% put in": inserted(0.15),
    "quarters in another order": moved,
    "a poor scan of it": recognised,
    "a form filled in anew": form,
}


def shingles(text: str) -> set[str]:
    """The set whose Jaccard similarity defines a near-duplicate."""
    plain = "".join(text.split())
    return {plain[at : at + SHINGLE] for at in range(len(plain) - SHINGLE + 1)}


def near_duplicates(pairs: int) -> None:
    """Pairs that are edits of each other among texts that are not, by kind of edit.

    ``above``: pairs whose exact similarity reaches the threshold, which is what the search promises to find. Recall is
    over those; precision is the share of edges between pairs that were generated as such and reach it by a hand's
    breadth of the sketch's error, 0.05.
    """
    print(f"\n| edit | pairs | mean similarity | pairs above {THRESHOLD} | found | recall of those | precision |")
    print("|---|---|---|---|---|---|---|")
    for name, edit in EDITS.items():
        generator = random.Random(11)
        documents, similarity = [], []
        for number in range(pairs):
            whole = words(generator, ENGLISH, 300)
            texts = " ".join(whole), " ".join(edit(whole, generator))
            for copy, content in enumerate(texts):
                passage = Passage(f"c{number:05d}_{copy}", content)
                documents.append(
                    RelatedDocument(f"d{number:05d}_{copy}", f"{number:05d}_{copy}.txt", passages=(passage,))
                )
            one, other = map(shingles, texts)
            similarity.append(len(one & other) / len(one | other))
        edges = [edge for edge in relate(documents).graph if edge.type is RelationType.DUPLICATE_OF]
        found = {int(edge.to[1:6]) for edge in edges if (edge.from_id or "")[:6] == edge.to[:6]}
        above = {number for number, value in enumerate(similarity) if value >= THRESHOLD}
        right = [number for number in found if similarity[number] >= THRESHOLD - 0.05]
        recall = f"{len(found & above) / len(above):.3f}" if above else "-"
        precision = f"{len(right) / len(edges):.3f}" if edges else "-"
        mean = sum(similarity) / pairs
        print(f"| {name} | {pairs} | {mean:.3f} | {len(above)} | {len(found)} | {recall} | {precision} |", flush=True)


def main() -> None:
    """Both tables, with the load of the machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[1000, 5000, 10_000, 20_000])
    parser.add_argument("--pairs", type=int, default=500)
    asked = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    growth(asked.documents)
    near_duplicates(asked.pairs)
    print(f"\nload after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
