"""Ids of a space, in the traversal order: by folder lineage, then path, then place in the document.

The same tree gives the same ids on every machine. Knows nothing of what a document is but its path.
"""

from collections.abc import Iterable

_DIGITS = 4
"""Ids are filled up to so many digits; number 10,000 simply is longer, so that no id changes when a corpus grows."""


def lineage(path: str) -> list[str]:
    """The folders above a file, from the root: ``["policies", "data"]`` of ``policies/data/retention.pdf``."""
    return path.split("/")[:-1]


def folder(path: str) -> str:
    """The folder of a file, ``policies/data``; empty for one in the root."""
    return path.rpartition("/")[0]


def traversal(paths: Iterable[str]) -> list[str]:
    """Paths in the order documents are numbered in: a folder's files before those of its subfolders."""
    return sorted(paths, key=lambda path: (lineage(path), path))


def document_id(number: int) -> str:
    """The id of the document ``number``, 1-based: ``doc_0007``."""
    return f"doc_{number:0{_DIGITS}d}"


def chunk_id(number: int) -> str:
    """The id of the chunk ``number``, 1-based, counted through all documents: ``chunk_0481``."""
    return f"chunk_{number:0{_DIGITS}d}"
