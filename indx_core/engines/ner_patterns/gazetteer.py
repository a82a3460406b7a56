"""A deployment's own list of names: read from its file, and found literally, longest first.

The time of a search grows with the text and with the number of different lengths listed, not with the number of names.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from indx_core.contracts.errors import SettingsInvalid
from indx_core.engines.ner_patterns.matches import Match
from indx_core.engines.ner_patterns.settings import NerPatternsSettings

_KEY = 2


class Gazetteer:
    """Surfaces by their first two characters, so that most places in a text cost one look-up."""

    def __init__(self, surfaces: Mapping[str, Sequence[str]]) -> None:
        self._labels: dict[str, str] = {}
        for label, listed in surfaces.items():
            for surface in listed:
                self._labels.setdefault(surface, label)  # listed under two labels: the first has it
        lengths: dict[str, set[int]] = {}
        for surface in self._labels:
            lengths.setdefault(surface[:_KEY], set()).add(len(surface))
        self._lengths = {key: sorted(found, reverse=True) for key, found in lengths.items()}
        self._firsts = re.compile(f"[{''.join(map(re.escape, sorted({s[0] for s in self._labels})))}]")

    def find(self, text: str) -> Iterator[Match]:
        """The longest surface at each place. Runs on the text as it stands, not on its folded form."""
        for place in self._firsts.finditer(text):
            start = place.start()
            for key in (text[start : start + _KEY], text[start]):
                found = self._at(text, start, self._lengths.get(key, ()))
                if found is not None:
                    yield found
                    break

    def _at(self, text: str, start: int, lengths: Sequence[int]) -> Match | None:
        for length in lengths:
            label = self._labels.get(text[start : start + length])
            if label is not None and not _inside_a_word(text, start, start + length):
                return Match(label, start, start + length, 1.0)
        return None


def _inside_a_word(text: str, start: int, end: int) -> bool:
    """Whether an ASCII letter or digit of the surface goes on outside it: ``IT`` is not found in ``WITH``."""
    before = start > 0 and _word(text[start - 1]) and _word(text[start])
    after = end < len(text) and _word(text[end - 1]) and _word(text[end])
    return before or after


def _word(character: str) -> bool:
    return character.isascii() and character.isalnum()


def configured() -> Gazetteer | None:
    """The gazetteer of the settings; ``None`` when they name none or it is empty. Read again when the file changes.

    Raises:
        SettingsInvalid: The file cannot be read or is not ``{label: [surface, ...]}``.
    """
    path = NerPatternsSettings.load().gazetteer
    if path is None:
        return None
    try:
        state = Path(path).stat()
    except OSError as error:
        raise _invalid(error.strerror or type(error).__name__) from None
    return _loaded(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _loaded(path: str, _changed: int, _size: int) -> Gazetteer | None:
    try:
        listed = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise _invalid(error.strerror or type(error).__name__) from None
    except ValueError as error:  # of JSON, or of its encoding
        raise _invalid(f"not JSON in UTF-8 ({error})") from None
    _check(listed)
    return Gazetteer(listed) if any(listed.values()) else None


def _check(listed: Any) -> None:
    if not isinstance(listed, dict):
        raise _invalid("not a JSON object of labels")
    for label, surfaces in listed.items():
        if not label or re.search(r"\s", label):
            raise _invalid(f"the label {label!r} is empty or holds white space")
        if not isinstance(surfaces, list) or not all(isinstance(each, str) and each.strip() for each in surfaces):
            raise _invalid(f"the label {label!r} does not hold a list of non-empty strings")


def _invalid(reason: str) -> SettingsInvalid:
    return SettingsInvalid.about(NerPatternsSettings.variable("gazetteer"), reason)
