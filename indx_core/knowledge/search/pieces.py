"""What the index of a lake consists of: pieces, the partitions in each, and the versions they were read at.

The state is one JSON object, ``search/state.json``, and the only thing of the index that depends on when files were
written. Holds values only.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from indx_core.kit.lake.stores import StoredObject
from indx_core.knowledge.search.terms import ANALYSIS

STATE = "state.json"
FORMAT = f"1.{ANALYSIS}"
"""Raised when the files of a piece, or what they hold, change: an index of another format is built anew."""

PASSAGES = 32_768
"""Passages a piece has on average. A changed document costs one piece anew; a query opens them all."""


@dataclass(frozen=True, slots=True)
class Held:
    """A partition as it was read: what its objects were, and the documents it has in its piece."""

    partition: str
    fingerprint: str
    documents: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its name, empty for one without documents; its embedding spaces; its partitions in order."""

    name: str
    spaces: tuple[str, ...]
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The index as it was last brought up to date.

    Attributes:
        stamp: Of every object that the index is made of.
        pieces: In the order of their partitions.
        gone: Keys of documents that their corpus no longer has, according to its last complete listing.
        relations: By corpus: version of its published space, and name of the piece with its edges.
    """

    stamp: str
    pieces: tuple[Piece, ...] = ()
    gone: tuple[str, ...] = ()
    relations: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """As stored."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, separators=(",", ":")).encode()


def decoded(data: bytes) -> State | None:
    """A stored state; ``None`` for one of another format, or a damaged one."""
    try:
        given = json.loads(data)
        if given["format"] != FORMAT:
            return None
        pieces = tuple(
            Piece(each["name"], tuple(each["spaces"]), tuple(Held(**held) for held in each["held"]))
            for each in given["pieces"]
        )
        relations = {corpus: (version, name) for corpus, (version, name) in given["relations"].items()}
        return State(given["stamp"], pieces, tuple(given["gone"]), relations)
    except (ValueError, KeyError, TypeError):
        return None


def stamp_of(objects: Iterable[StoredObject]) -> str:
    """One value for the names, sizes and versions of objects."""
    digest = hashlib.sha256(FORMAT.encode())
    for item in objects:
        digest.update(f"{item.name}\0{item.size}\0{item.version}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def ends_piece(partition: str, passages: int) -> bool:
    """Whether a piece ends with this partition: by its name's hash, as likely as its passages are many.

    So where pieces end depends on the partitions alone, and adding one moves no end but those beside it.
    """
    drawn = int.from_bytes(hashlib.sha256(partition.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    return drawn / 2**64 < passages / PASSAGES
