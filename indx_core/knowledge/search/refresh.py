"""Bringing the index of a lake up to date: which partitions changed, which pieces that makes new, and nothing else.

A lake whose objects are as they were costs a listing. Does not search (``lake_index.py``).
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from indx_core.contracts import tables as t
from indx_core.contracts.errors import LakeObjectInvalid
from indx_core.kit.lake import Lake, names
from indx_core.kit.lake.stores import StoredObject
from indx_core.knowledge.search.content import Content
from indx_core.knowledge.search.harvest import TABLES, PartOfLake, harvested
from indx_core.knowledge.search.pieces import STATE, Held, Piece, State, decoded, ends_piece, stamp_of
from indx_core.knowledge.search.relations import published, stored_relations
from indx_core.knowledge.search.segment import Segment, members_of, name_of
from indx_core.knowledge.search.shelf import Shelf

Objects = Mapping[str, list[StoredObject]]

_TOGETHER = 256  # partitions read at a time: their tables are in memory until a piece is full


class _Slice(NamedTuple):
    """Consecutive documents of a content, or of a stored piece."""

    source: Content | Segment
    first: int
    last: int


def refreshed(lake: Lake, shelf: Shelf) -> State:
    """The state of the index, which is now that of the lake."""
    objects = {table.name: list(lake.objects(table.name)) for table in (*TABLES, t.LISTING)}
    spaces = published(lake)
    stamp = stamp_of([*(item for each in objects.values() for item in each), *spaces.values()])
    known = [state for data in shelf.read(STATE) if (state := decoded(data)) is not None]
    current = next((state for state in known if state.stamp == stamp), None)
    if current is not None:
        return current
    before = known[0] if known else State("")
    pieces = tuple(_pieces(lake, shelf, objects, before))
    state = State(stamp, pieces, _gone(lake, shelf, pieces), stored_relations(lake, shelf, spaces, before.relations))
    shelf.keep(STATE, state.encoded())
    shelf.remove_but({piece.name for piece in pieces} | {name for _, name in state.relations.values()})
    return state


def segment_of(shelf: Shelf, piece: Piece) -> Segment:
    """The stored files of a piece.

    Raises:
        FileNotFoundError: When one is asked for that is no longer there.
    """

    def open_file(member: str) -> Path:
        path = shelf.path(f"{piece.name}/{member}")
        if path is None:
            raise FileNotFoundError(member)
        return path

    return Segment(piece.name, piece.spaces, open_file)


def _pieces(lake: Lake, shelf: Shelf, objects: Objects, before: State) -> Iterator[Piece]:
    slices: list[_Slice] = []
    held: list[Held] = []
    for each, found in _partitions(lake, shelf, objects, before):
        held.append(each)
        if each.documents:
            slices.append(found)
        passages = int(found.source.starts[found.last] - found.source.starts[found.first])
        if ends_piece(each.partition, passages):
            yield _piece(shelf, slices, held)
            slices, held = [], []
    if held:
        yield _piece(shelf, slices, held)


def _partitions(lake: Lake, shelf: Shelf, objects: Objects, before: State) -> Iterator[tuple[Held, _Slice]]:
    """Every partition in order, with where its documents are: as stored, or read anew where its objects changed."""
    parts = _by_partition(objects)
    prints = {name: stamp_of(item for each in part.values() for item in each) for name, part in parts.items()}
    stored = dict(_stored(shelf, before))
    unchanged = {name for name in parts if name in stored and stored[name][0].fingerprint == prints[name]}
    for kept, together in groupby(sorted(parts), key=lambda name: (name in unchanged, _read_with(name))):
        run = list(together)
        if kept[0]:
            yield from (stored[name] for name in run)
            continue
        for start in range(0, len(run), _TOGETHER):
            yield from _read(lake, {name: parts[name] for name in run[start : start + _TOGETHER]}, prints)


def _read_with(partition: str) -> str:
    """Partitions with the same answer are read together: documents of a corpus; a shard, whose name has no slash."""
    corpus, slash, _ = partition.partition("/")
    return corpus if slash else partition


def _read(lake: Lake, parts: Mapping[str, Objects], prints: Mapping[str, str]) -> Iterator[tuple[Held, _Slice]]:
    together: dict[str, list[StoredObject]] = {}
    for part in parts.values():
        for table, items in part.items():
            together.setdefault(table, []).extend(items)
    content = harvested(PartOfLake(lake, together))
    keys = content.documents.column("key").to_pylist()
    first = 0
    for name in parts:
        last = len(keys) if len(parts) == 1 else first + (first < len(keys) and keys[first] == name)
        yield Held(name, prints[name], last - first), _Slice(content, first, last)
        first = last
    if first != len(keys):
        raise LakeObjectInvalid("an object of `sources` holds a document of another partition", remedy="ingest it anew")


def _stored(shelf: Shelf, state: State) -> Iterator[tuple[str, tuple[Held, _Slice]]]:
    """Partitions of the pieces whose files are there."""
    for piece in state.pieces:
        segment, first = segment_of(shelf, piece), 0
        if piece.name and not _whole(segment):
            continue
        for held in piece.held:
            if piece.name:
                yield held.partition, (held, _Slice(segment, first, first + held.documents))
                first += held.documents


def _whole(segment: Segment) -> bool:
    with suppress(FileNotFoundError, OSError, ValueError):
        return segment.count >= 0
    return False


def _by_partition(objects: Objects) -> dict[str, dict[str, list[StoredObject]]]:
    """Objects by partition, then table, in the order of ``TABLES``."""
    found: dict[str, dict[str, list[StoredObject]]] = {}
    for table in TABLES:
        for item in objects[table.name]:
            stored = f"{table.name}/{item.name.split('/')[1]}" if table is t.VECTORS else table.name
            partition = names.partition_of(stored, item.name)
            if partition is not None:
                found.setdefault(partition, {}).setdefault(table.name, []).append(item)
    return found


def _piece(shelf: Shelf, slices: Sequence[_Slice], held: Sequence[Held]) -> Piece:
    merged = _merged(slices)
    if not merged:
        return Piece("", (), tuple(held))
    only = merged[0]
    if len(merged) == 1 and isinstance(only.source, Segment) and only.last - only.first == len(only.source.starts) - 1:
        return Piece(only.source.name, only.source.spaces, tuple(held))
    content = Content.joined([_content(each) for each in merged])
    members = members_of(content)
    name = name_of(members)
    for member, data in members.items():
        if shelf.path(f"{name}/{member}") is None:
            shelf.keep(f"{name}/{member}", data)
    return Piece(name, tuple(content.vectors), tuple(held))


def _merged(slices: Sequence[_Slice]) -> list[_Slice]:
    """Neighbouring slices of one source as one."""
    merged: list[_Slice] = []
    for each in slices:
        if merged and merged[-1].source is each.source and merged[-1].last == each.first:
            merged[-1] = _Slice(each.source, merged[-1].first, each.last)
        else:
            merged.append(each)
    return merged


def _content(part: _Slice) -> Content:
    content = part.source.content() if isinstance(part.source, Segment) else part.source
    return content.part(part.first, part.last)


def _gone(lake: Lake, shelf: Shelf, pieces: Sequence[Piece]) -> tuple[str, ...]:
    """Keys in the index that the last listing of their corpus does not have; a corpus never listed has them all."""
    rows = lake.select(t.LISTING.name, ["key", "corpus"])
    listed, corpora = set(rows.column("key").to_pylist()), set(rows.column("corpus").to_pylist())
    gone = []
    for piece in pieces:
        if piece.name:
            documents = segment_of(shelf, piece).documents.select(["key", "corpus"]).to_pylist()
            gone += [row["key"] for row in documents if row["corpus"] in corpora and row["key"] not in listed]
    return tuple(gone)
