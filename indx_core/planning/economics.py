"""What a page is expected to cost, take and be worth: assumptions by kind, corrected by the operator's own file.

Prices are the operator's and never a capability's: one that priced itself would buy its way into a route. They never go
on the wire; the estimates made of them do. The shipped figures are admitted assumptions, not measurements: a hosted OCR
at $0.05 a page is admitted on the $0.0005 of its kind until the file says otherwise.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from indx_core.contracts.base import Contract, fault
from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import SettingsInvalid
from indx_core.planning.settings import RoutingSettings

COST_DIGITS = 6
"""Dollars are rounded to a millionth in estimates and where they meet a limit: 3 x 0.1 is 0.3, never a hair above."""


@dataclass(frozen=True, slots=True)
class Price:
    """The expectation for one page: ``quality`` 0-1, dollars, whole milliseconds."""

    quality: float
    cost_usd_per_page: float
    latency_ms_per_page: int


DEFAULTS: Mapping[CapabilityKind, Price] = {
    CapabilityKind.PARSER: Price(quality=0.98, cost_usd_per_page=0.0, latency_ms_per_page=20),
    CapabilityKind.NATIVE: Price(quality=0.98, cost_usd_per_page=0.0, latency_ms_per_page=20),
    CapabilityKind.OCR: Price(quality=0.8, cost_usd_per_page=0.0005, latency_ms_per_page=400),
    CapabilityKind.VLM: Price(quality=0.9, cost_usd_per_page=0.01, latency_ms_per_page=5_000),
    # A person: some minutes of paid work, and an answer by tomorrow.
    CapabilityKind.MANUAL: Price(quality=1.0, cost_usd_per_page=2.0, latency_ms_per_page=86_400_000),
}


class PriceOverride(Contract):
    """What the operator knows better; a field left out keeps its figure. Strict: a fractional latency is refused."""

    model_config = ConfigDict(strict=True)

    quality: float = Field(default=0.0, ge=0, le=1, allow_inf_nan=False)
    cost_usd_per_page: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    latency_ms_per_page: int = Field(default=0, ge=0)

    @property
    def charge(self) -> float | None:
        """Dollars a page, where they were written down."""
        return self.cost_usd_per_page if "cost_usd_per_page" in self.model_fields_set else None

    def given(self) -> dict[str, Any]:
        """Only the figures that were written down."""
        return self.model_dump(exclude_unset=True)


@dataclass(frozen=True, slots=True)
class Economics:
    """Prices of one deployment.

    Attributes:
        overrides: By capability id or kind. ``native-extraction`` and ``manual-review`` name both a kind and a
            capability, and such a key is the figure of both.
    """

    overrides: Mapping[str, PriceOverride] = field(default_factory=dict)

    def of(self, capability: CapabilityDescriptor) -> Price:
        """The price of a capability, figure by figure: its id's, else its kind's, else the shipped one."""
        price = DEFAULTS[capability.kind]
        for key in (capability.kind.value, capability.id):
            if key in self.overrides:
                price = replace(price, **self.overrides[key].given())
        return price


def load_economics() -> Economics:
    """The prices in force now: reads the file named by ``INDX_ROUTING_ECONOMICS``. The planner's only I/O.

    Raises:
        SettingsInvalid: The file is absent, unreadable or malformed. Ignoring it would route on prices that its author
            believes corrected.
    """
    path = RoutingSettings.load().economics
    if path is None:
        return Economics()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid(f"the file it names cannot be read ({type(error).__name__})") from None
    return parse_economics(text)


def parse_economics(text: str) -> Economics:
    """Prices out of the file's JSON.

    Raises:
        SettingsInvalid: It is no JSON object of objects, repeats a key, has an unknown field, a figure out of range or
            a latency that is no whole number. Names every place at fault.
    """
    try:
        raw = json.loads(text, object_pairs_hook=_without_repeats)
        return Economics(_OVERRIDES.validate_python(raw))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise _invalid("; ".join(_problem(each["loc"], fault(each)) for each in problems)) from None
    except (ValueError, RecursionError) as error:
        raise _invalid(f"not a JSON object: {error}") from None


_OVERRIDES = TypeAdapter(dict[str, PriceOverride])


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise ValueError(f"repeated key {', '.join(repeated)}")
    return dict(pairs)


def _problem(location: tuple[int | str, ...], message: str) -> str:
    return f"{'.'.join(map(str, location)) or 'the file'}: {message}"


def _invalid(reason: str) -> SettingsInvalid:
    return SettingsInvalid.about(RoutingSettings.variable("economics"), reason)
