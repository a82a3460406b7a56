"""The form of the answers. Looks at nothing itself."""

from enum import StrEnum
from typing import Self

from indx_core.contracts.base import Contract
from indx_core.contracts.errors import IndxError


class Status(StrEnum):
    """What came of a check."""

    OK = "ok"
    ABSENT = "absent"
    """Not here, and nothing that is configured asks for it."""
    WARNING = "warning"
    """Worth a look; everything works."""
    PROBLEM = "problem"
    """Something configured cannot work."""


class Check(Contract):
    """One thing that was looked at.

    Attributes:
        area: Heading it stands under: ``extras``, ``engines``, ``settings``, ``indx.toml``, ``lake``, …
        name: What was looked at.
        status: What came of it.
        detail: What was found.
        remedy: What to do, where there is something to do: a command or a sentence.
    """

    area: str
    name: str
    status: Status
    detail: str = ""
    remedy: str = ""

    @classmethod
    def refused(cls, area: str, name: str, error: IndxError) -> Self:
        """A typed error as the problem that it is."""
        return cls(area=area, name=name, status=Status.PROBLEM, detail=error.message, remedy=error.remedy)


class Origin(StrEnum):
    """Where a value comes from."""

    ENVIRONMENT = "environment"
    FILE = "indx.toml"
    DEFAULT = "default"


class Variable(Contract):
    """One setting in force.

    Attributes:
        name: The variable.
        origin: Where its value comes from.
        value: The value; of a secret ``***`` where there is one. ``None``: unset.
    """

    name: str
    origin: Origin
    value: str | None = None


class Report(Contract):
    """All of it. ``version`` and ``python`` are versions; ``healthy`` says that no check is a problem."""

    version: str
    python: str
    healthy: bool
    checks: tuple[Check, ...]
    settings: tuple[Variable, ...]
