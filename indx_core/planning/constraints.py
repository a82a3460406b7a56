"""Which rungs a caller's constraints leave, and the sentence when they leave none.

Belongs here: constraints that judge one rung by itself. Budgets, which judge the whole document, are ``budget.py``'s.
An impossible combination is an unsatisfied plan and never an error: the caller reads which line to change.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from indx_core.contracts.capability import CapabilityDescriptor, CapabilitySnapshot, Device
from indx_core.contracts.plan import Constraints
from indx_core.planning.economics import Economics, Price
from indx_core.planning.scopes import listed

Rungs = tuple[CapabilityDescriptor, ...]


@dataclass(frozen=True, slots=True)
class Admission:
    """A ladder after the constraints.

    Attributes:
        admitted: What is left, in the ladder's order.
        excluded: What each constraint took, by its name; a rung that breaks two constraints is in both.
    """

    admitted: Rungs
    excluded: Mapping[str, Rungs]


def admit(ladder: Rungs, constraints: Constraints, economics: Economics) -> Admission:
    """Take from a ladder what the constraints refuse, nominees and manual review included. Never reorders or adds."""
    broken = {each.id: _broken(each, constraints, economics.of(each)) for each in ladder}
    return Admission(
        admitted=tuple(each for each in ladder if not broken[each.id]),
        excluded={
            name: taken for name in _BREAKS if (taken := tuple(each for each in ladder if name in broken[each.id]))
        },
    )


_BREAKS: Mapping[str, Callable[[CapabilityDescriptor, Constraints, Price], bool]] = {
    "capability_ids": lambda rung, asked, _: asked.capability_ids is not None and rung.id not in asked.capability_ids,
    "minimum_quality": lambda _, asked, price: (
        asked.minimum_quality is not None and price.quality < asked.minimum_quality
    ),
    "gpu_allowed": lambda rung, asked, _: not asked.gpu_allowed and rung.device is Device.GPU,
    "data_residency": lambda rung, asked, _: asked.data_residency and rung.device is Device.EXTERNAL,
}
"""In the order sentences name them."""


def _broken(rung: CapabilityDescriptor, constraints: Constraints, price: Price) -> tuple[str, ...]:
    return tuple(name for name, breaks in _BREAKS.items() if breaks(rung, constraints, price))


def exclusion_sentence(constraint: str, excluded: Iterable[str]) -> str:
    """Why rungs are missing from routes, for ``reasons``."""
    why = {
        "capability_ids": "not on the list",
        "minimum_quality": "expected quality too low",
        "gpu_allowed": "on a GPU",
        "data_residency": "on an external device",
        "maximum_cost_usd": "dearer than the document may be",
        "deadline_ms": "slower than the document may be",
    }[constraint]
    return f"{constraint} leaves out {listed(excluded)} ({why})"


def unknown_id_lines(constraints: Constraints, snapshot: CapabilitySnapshot) -> list[str]:
    """A line for every id of the allowlist that the snapshot does not hold: a misspelt reader is never ignored."""
    installed = listed(each.id for each in snapshot.capabilities) if snapshot.capabilities else "nothing"
    return [
        f"capability_ids: no installed capability is called {name}; installed are {installed}"
        for name in dict.fromkeys(constraints.capability_ids or ())
        if snapshot.capability(name) is None
    ]


def unread_lines(
    scope: str, admission: Admission, unavailable: Rungs, constraints: Constraints, economics: Economics
) -> list[str]:
    """Why a scope has no reader left, a line for each constraint that took one, each saying what would satisfy it.

    Args:
        scope: ``document``, ``page:2`` or ``pages 2-5``.
        admission: The scope's ladder after the constraints, with nothing admitted.
        unavailable: Rungs of the scope that cannot run here.
        constraints: As asked.
        economics: Prices, for the quality that would be enough.
    """
    missing = "; ".join(f"{each.id} cannot run here: {each.unavailable_reason}" for each in unavailable)
    if not admission.excluded:
        return [f"routing: no capability that can run here reads {scope}; {missing or 'install one'}"]
    lines = [_unread_line(name, scope, rungs, constraints, economics) for name, rungs in admission.excluded.items()]
    return [f"{line}; {missing}" for line in lines] if missing else lines


def _unread_line(name: str, scope: str, excluded: Rungs, constraints: Constraints, economics: Economics) -> str:
    ids = [each.id for each in excluded]
    if name == "capability_ids":
        allowed = constraints.capability_ids or ()
        asked = f"none of {', '.join(allowed)} reads {scope}" if allowed else f"the list is empty, so {scope} is unread"
        return f"{name}: {asked}; add {listed(ids, 'or')}"
    if name == "minimum_quality":
        best = max(economics.of(each).quality for each in excluded)
        return (
            f"{name}: no reader of {scope} is expected to reach {constraints.minimum_quality:g} "
            f"(left out: {', '.join(ids)}); lower it to {best:g}"
        )
    if name == "gpu_allowed":
        return f"{name}: every reader left for {scope} runs on a GPU ({', '.join(ids)}); allow the GPU"
    return (
        f"{name}: every reader left for {scope} runs on an external device ({', '.join(ids)}); "
        f"install a local one, or drop data_residency"
    )
