"""Which corpus is meant: one of ``indx.toml``, or what a path given by hand stands for. Lists nothing.

A corpus is a named root with the patterns that say which of its paths are documents.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import SYSTEM_FILES
from indx_core.kit.config import LoadedConfig
from indx_core.kit.intake import locate
from indx_core.kit.registry import Registry


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named root to list: one of ``indx.toml``, or one that a path on the command line stands for.

    Attributes:
        include: Glob patterns of paths below the root; a path must match one.
        exclude: Glob patterns of paths to leave out.
        within: The file or folder below the root that was named by hand. Of a folder, the listing is of the whole
            corpus all the same, since only a complete listing may say what is gone; this narrows what is worked on.
        address: Where ``within`` is one object: its own. It alone is listed, and that says nothing of any other.
        ignore: Glob patterns of paths that are no documents, letter case aside.
    """

    name: str
    root: str
    include: tuple[str, ...] = ("**",)
    exclude: tuple[str, ...] = ()
    within: str = ""
    address: str = ""
    ignore: tuple[str, ...] = SYSTEM_FILES

    @property
    def single(self) -> bool:
        """Whether one object was named by hand: its listing must never look like the deletion of the others."""
        return bool(self.address)

    def covers(self, path: str) -> bool:
        """Whether a path of the corpus is what was named."""
        return not self.within or path == self.within or path.startswith(f"{self.within}/")

    def wants(self, path: str) -> bool:
        """Whether ``include`` and ``exclude`` leave a path in."""
        return bool(globs(self.include).fullmatch(path) and not globs(self.exclude).fullmatch(path))


def named_corpus(name: str, loaded: LoadedConfig) -> Corpus:
    """A corpus of ``indx.toml``.

    Raises:
        ConfigInvalid: There is none of that name.
    """
    root = loaded.root(name)
    config = loaded.config.corpora[name]
    return Corpus(name, root, config.include, config.exclude, ignore=loaded.config.ignore)


def corpus_of_path(path: str, loaded: LoadedConfig, registry: Registry) -> Corpus:
    """The corpus a path or URI given by hand belongs to.

    A path inside a configured root is that corpus narrowed to it; a file elsewhere is its folder narrowed to the file,
    so that a document has one key, named by itself or with its folder. A corpus that no configuration names is called
    after the folder and ended with six hex digits of the root, so that two folders of one name never share documents.

    Raises:
        SourceForbidden: A loader's guard refuses the path.
        SourceUnreadable: Nothing is there, or its store does not say whether it is a file or a folder.
    """
    if "://" not in path and not Path(path).exists():
        known = ", ".join(loaded.config.corpora) or "none"
        raise SourceUnreadable(
            f"{path} is no file or folder here, and no corpus of indx.toml",
            remedy=f"name one that exists; the corpora of indx.toml: {known}",
        )
    where = path if "://" in path else _local(path)
    for name in loaded.config.corpora:
        corpus = named_corpus(name, loaded)
        if where == corpus.root:
            return corpus
        if where.startswith(corpus.root.rstrip("/") + "/"):
            return _narrowed(corpus, where, registry)
    folder, _, last = where.rpartition("/")
    if last and not folder.endswith(":/"):
        corpus = _narrowed(_unnamed(folder or "/", loaded), where, registry)
        if corpus.single:
            return corpus
    return _unnamed(where, loaded)


def _local(path: str) -> str:
    """The absolute path with links to folders followed. A link to a file is itself a document of its folder."""
    given = Path(path)
    return str(given.resolve() if given.is_dir() else given.parent.resolve() / given.name)


def _narrowed(corpus: Corpus, where: str, registry: Registry) -> Corpus:
    found = locate(where, corpus.root, registry)
    below = unicodedata.normalize("NFC", where[len(corpus.root.rstrip("/")) + 1 :])
    return replace(corpus, within=found.path if found else below, address=where if found else "")


def _unnamed(root: str, loaded: LoadedConfig) -> Corpus:
    slug = re.sub(r"[^a-z0-9_-]+", "-", root.rstrip("/").rpartition("/")[2].lower()).strip("-") or "corpus"
    name = f"{slug[:40]}-{hashlib.sha256(root.encode()).hexdigest()[:6]}"
    return Corpus(name, root, ignore=loaded.config.ignore)


@cache
def globs(patterns: tuple[str, ...], flags: int = 0) -> re.Pattern[str]:
    """One expression for paths that match any of the patterns; no pattern, no path."""
    # A name may hold a line feed, and `**` means any name: without DOTALL such a document is left out in silence.
    return re.compile("|".join(map(_glob, patterns)) or r"[^\s\S]", flags | re.DOTALL)


def _glob(pattern: str) -> str:
    """``**`` stands for any path, ``*`` and ``?`` stay inside a segment."""
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    meaning = {"**": ".*", "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return "".join(meaning.get(part) or re.escape(part) for part in parts)
