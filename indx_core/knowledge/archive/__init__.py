"""The ``.indx`` archive: a knowledge space as one portable file, written deterministically and checked when read.

A ZIP file of ``index.json`` (deflated), ``embeddings/<n>.npy`` and ``embeddings/<n>.rows.npy`` (stored as they are and
aligned, so that a matrix is memory-mapped inside the archive), and ``manifest.json``, the last member, which names
every other with its length and SHA-256. A folder with the same members reads the same. Does not hold the space itself.
"""

from indx_core.knowledge.archive.read import load
from indx_core.knowledge.archive.write import save, unpack

__all__ = ["load", "save", "unpack"]
