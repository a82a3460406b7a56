"""A dictionary that a setting names: compiled for vibrato, or MeCab's sources, compiled here.

MeCab's sources are EUC-JP as IPADIC is published, or UTF-8. White space and unknown words are handled as MeCab does, so
that the same dictionary gives the same morphemes in both lanes.
"""

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.ner_vibrato.settings import NerVibratoSettings
from indx_core.kit.models.files import fingerprint

_UNKNOWN_LENGTH = 24
"""Characters of an unknown word at most: MeCab's own bound (``--max-grouping-size``)."""
_DEFINITIONS = ("matrix.def", "char.def", "unk.def")


def missing() -> tuple[str, ...]:
    """Packages that are not installed."""
    return () if importlib.util.find_spec("vibrato") else ("vibrato",)


@lru_cache(maxsize=4)
def name(path: str) -> str:
    """What a descriptor calls a dictionary: its file's or folder's own name, and a fingerprint of what it holds.

    Taken once per process, as the dictionary is opened once.
    """
    place = Path(path)
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    marks = ",".join(fingerprint(file) for file in files if file.is_file())
    return f"{place.name}@{hashlib.sha256(marks.encode()).hexdigest()[:12]}" if marks else place.name


class VibratoTokenizer:
    """Morphemes by vibrato with one dictionary, which is opened on the first text."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, piece: str) -> list[tuple[str, int, str]]:
        """See ``tokens.Tokenize``."""
        return [(token.surface(), token.start(), token.feature()) for token in _opened(self._path).tokenize(piece)]


@lru_cache(maxsize=1)
def _opened(path: str) -> Any:
    """One dictionary per process: it takes 48 MB in memory, and its tokenizer does not run in two threads at once.

    Raises:
        CapabilityUnavailable: There is no dictionary, or not one that this release of vibrato reads.
    """
    import vibrato

    place = Path(path)
    try:
        if place.is_dir():
            return _compiled(place)
        data = _decompressed(place) if place.suffix == ".zst" else place.read_bytes()
        return vibrato.Vibrato(data, ignore_space=True, max_grouping_len=_UNKNOWN_LENGTH)
    except OSError as error:
        raise _refused(error.strerror or type(error).__name__) from None
    except (ValueError, RuntimeError, UnicodeDecodeError) as error:
        raise _refused(f"not a dictionary that vibrato reads ({type(error).__name__})") from None


def _compiled(folder: Path) -> Any:
    import vibrato

    lexicon = "".join(_source(file) for file in sorted(folder.glob("*.csv")))
    matrix, characters, unknown = (_source(folder / name) for name in _DEFINITIONS)
    return vibrato.Vibrato.from_textdict(
        lexicon, matrix, characters, unknown, ignore_space=True, max_grouping_len=_UNKNOWN_LENGTH
    )


def _source(file: Path) -> str:
    data = file.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("euc_jp")
    return text if text.endswith("\n") else f"{text}\n"


def _decompressed(file: Path) -> bytes:
    import pyarrow as pa

    with file.open("rb") as packed, pa.CompressedInputStream(packed, "zstd") as stream:
        data: bytes = stream.read()
    return data


def _refused(reason: str) -> CapabilityUnavailable:
    variable = NerVibratoSettings.variable("dictionary")
    return CapabilityUnavailable(
        f"vibrato: {variable}: {reason}",
        remedy=f"point {variable} at a compiled IPADIC or at its sources, or unset it to use the packaged one",
    )
