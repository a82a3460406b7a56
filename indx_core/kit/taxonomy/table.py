"""The label table and its file: JSON, ``{facet: {label: {"names": …, "words": …, "threshold": …}}}``."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from pydantic import Field, StrictFloat, StrictInt, TypeAdapter, ValidationError, field_validator

from indx_core.contracts.base import Contract
from indx_core.contracts.errors import SettingsInvalid

_SHIPPED = ("document_type", "business_unit", "industry")


class Entry(Contract):
    """One label.

    Attributes:
        names: What it is called, by language code; shown to models, never to word matching.
        words: What votes for it when it occurs in a text. Only the ``words`` lane reads them.
        threshold: How many distinct words make the label: a count, or a share of the list (0-1, written with a point).
    """

    names: dict[str, str] = Field(min_length=1)
    words: tuple[str, ...] = ()
    threshold: StrictInt | StrictFloat = 1

    @field_validator("threshold")
    @classmethod
    def _bounds(cls, threshold: float) -> float:
        if isinstance(threshold, int) and threshold < 1:
            raise ValueError("a count of words is at least 1")
        if isinstance(threshold, float) and not 0 < threshold <= 1:
            raise ValueError("a share of words lies between 0 and 1")
        return threshold

    @field_validator("words")
    @classmethod
    def _words(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if not all(word.strip() for word in words):
            raise ValueError("a word is not blank")
        return words

    @property
    def title(self) -> str:
        """All its names as one, English first: ``invoice (請求書)``."""
        ordered = sorted(self.names.items(), key=lambda name: (name[0] != "en", name[0]))
        first, *others = (name for _language, name in ordered)
        return f"{first} ({', '.join(others)})" if others else first


Facets = dict[str, dict[str, Entry]]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A loaded table.

    Attributes:
        facets: Labels by facet, in the order of the file.
        version: 12 hex digits of its content: another table is another classifier.
        shipped: Whether it is the one that comes with indx.
    """

    facets: Mapping[str, Mapping[str, Entry]]
    version: str
    shipped: bool

    def stamp(self, model: str | None = None) -> str | None:
        """What a descriptor names as its model: an operator's own labels are part of it."""
        if self.shipped:
            return model
        return f"{model}, labels {self.version}" if model else f"labels {self.version}"


def taxonomy(path: str | None, variable: str) -> Taxonomy:
    """The table in force.

    Args:
        path: File of the operator's own table; it replaces the shipped one whole. ``None``: the shipped one.
        variable: Name of the setting the path came from, which messages start with.

    Raises:
        SettingsInvalid: The file cannot be read, or is no label table. Says where, never what path.
    """
    if path is None:
        return _shipped()
    try:
        return _parsed(Path(path).read_bytes(), shipped=False)
    except OSError as error:
        raise SettingsInvalid(f"{variable}: the label table cannot be read ({type(error).__name__})") from None
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in problem["loc"]) or "the file"
        raise SettingsInvalid(f"{variable}: not a label table: {where}: {problem['msg']}") from None


@lru_cache(maxsize=1)
def _shipped() -> Taxonomy:
    folder = files("indx_core.kit.taxonomy")
    tables = [folder.joinpath(f"{name}.json").read_bytes() for name in _SHIPPED]
    facets = {facet: labels for table in tables for facet, labels in _parsed(table, shipped=True).facets.items()}
    return Taxonomy(facets, _version(b"".join(tables)), shipped=True)


def _parsed(data: bytes, *, shipped: bool) -> Taxonomy:
    facets = TypeAdapter(Facets).validate_json(data)
    return Taxonomy(facets, _version(data), shipped)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]
