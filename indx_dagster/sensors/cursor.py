"""What a sensor remembers between two ticks: where in its sweep it is. Below 300 bytes, whatever the corpus.

A *sweep* looks at a corpus once: lists it, records what is gone, walks the listing to ask for what is stale, and
removes what nothing stands in for any more. There is no set of what was seen: that is Dagster's event log.
"""

import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum


class Phase(StrEnum):
    """What the next tick goes on with."""

    LIST = "list"
    BURY = "bury"
    WALK = "walk"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a sweep.

    Attributes:
        sweep: Number of the sweep, from 1; part of every run key, so that a document can be asked for again.
        phase: What it is at.
        after: The last place of this phase that is done with: a path while listing, a partition while walking.
        parts: Parts of the listing that stand in the lake.
    """

    sweep: int = 1
    phase: Phase = Phase.LIST
    after: str = ""
    parts: int = 0

    def encode(self) -> str:
        """As Dagster stores it."""
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def decode(cls, text: str | None) -> "Cursor":
        """What was stored; a new sweep where nothing was, or something that is no cursor of ours."""
        try:
            values = json.loads(text or "")
            return cls(int(values["sweep"]), Phase(values["phase"]), str(values["after"]), int(values["parts"]))
        except (ValueError, KeyError, TypeError):
            return cls()

    def at(self, phase: Phase) -> "Cursor":
        """The beginning of another phase of the same sweep."""
        return replace(self, phase=phase, after="", parts=0)

    def next_sweep(self) -> "Cursor":
        """The beginning of the next sweep."""
        return Cursor(self.sweep + 1)
