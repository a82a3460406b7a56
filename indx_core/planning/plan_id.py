"""The identity of a plan: the hash of everything it decides. Checking it against a source is ``conflict.py``'s."""

from indx_core.contracts.base import content_id
from indx_core.contracts.plan import RoutePlan

_NOT_HASHED = {"plan_id", "request_id"}


def compute_plan_id(plan: RoutePlan) -> str:
    """``sha256:<hex>`` of every field but ``plan_id`` and the caller's ``request_id``.

    The request id is left out so that the same question asked twice is the same plan.
    """
    return content_id(plan.model_dump(mode="json", exclude=_NOT_HASHED))


def identified(plan: RoutePlan) -> RoutePlan:
    """The plan under its own identity, whatever ``plan_id`` it carried before."""
    return plan.model_copy(update={"plan_id": compute_plan_id(plan)})
