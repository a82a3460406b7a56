"""Whether a plan that was handed back still is a plan for this source on this installation.

Answers with every difference at once, so that one look tells whether the file, the install or the plan moved. Never
plans anew: that is the caller's decision.
"""

from collections.abc import Mapping

from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.errors import PlanConflict
from indx_core.contracts.plan import RoutePlan
from indx_core.planning.plan_id import compute_plan_id

_REMEDIES = {
    "plan_id": "hand the plan back as it was planned, without edits",
    "source_digest": "the document changed: plan it again",
    "media_type": "the document is read as another type now: plan it again",
    "page_count": "the document is counted differently now: plan it again, or restore the settings it was planned with",
    "snapshot_id": "the installed capabilities changed: plan again, or restore the installation it was planned on",
    "policy_version": "the routing rules changed: plan again, or run the release it was planned with",
}


def check_plan(plan: RoutePlan, *, source_digest: str, media_type: str, snapshot: CapabilitySnapshot) -> None:
    """Refuse a plan that was made for something else.

    Args:
        plan: As it was handed back or read from the plan of record.
        source_digest: ``sha256:<hex>`` of the bytes at hand.
        media_type: What they are read as.
        snapshot: The current inventory.

    Raises:
        PlanConflict: With every differing field in ``details["mismatches"]`` as ``{"field", "planned", "actual"}``, all
            of them in the message, and the remedy of each. An edited plan differs in ``plan_id``.
    """
    _require(
        plan,
        {
            "plan_id": compute_plan_id(plan),
            "source_digest": source_digest,
            "media_type": media_type,
            "snapshot_id": snapshot.snapshot_id,
            "policy_version": snapshot.policy_version,
        },
    )


def check_page_count(plan: RoutePlan, observed: int) -> None:
    """Refuse a plan that counts other pages than are observed now: a page it does not know would vanish.

    Asked once ``check_plan`` has passed: of a source that changed nothing need be observed.

    Raises:
        PlanConflict: As ``check_plan``.
    """
    _require(plan, {"page_count": observed})


def _require(plan: RoutePlan, actual: Mapping[str, str | int]) -> None:
    mismatches = [
        {"field": field, "planned": getattr(plan, field), "actual": value}
        for field, value in actual.items()
        if getattr(plan, field) != value
    ]
    if not mismatches:
        return
    differences = "; ".join(f"{each['field']}: planned {each['planned']}, now {each['actual']}" for each in mismatches)
    remedies = "; ".join(_REMEDIES[each["field"]] for each in mismatches)
    raise PlanConflict(
        f"the plan was not made for this: {differences}",
        param="plan",
        remedy=f"{remedies} (in Dagster: re-materialize plan)",
        details={"mismatches": mismatches},
    )
