"""RPL-01: a plan that was handed back is followed exactly or refused with everything that differs."""

import pytest
from planning.builders import NATIVE, PDF, A, P, observed, plan, snapshot

from indx_core.contracts.errors import PlanConflict
from indx_core.contracts.plan import RoutePlan
from indx_core.planning.conflict import check_page_count, check_plan

OBSERVATION = observed(P, A)


def conflict(handed_back: RoutePlan, **changes: object) -> PlanConflict:
    with pytest.raises(PlanConflict) as refused:
        check_plan(handed_back, **{**matching(), **changes})  # type: ignore[arg-type]
    return refused.value


def matching() -> dict[str, object]:
    return {"source_digest": OBSERVATION.source_digest, "media_type": PDF, "snapshot": snapshot()}


def test_a_plan_handed_back_for_its_own_source_is_accepted() -> None:
    stored = RoutePlan.model_validate_json(plan(OBSERVATION).model_dump_json())
    check_plan(stored, **matching())  # type: ignore[arg-type]


def test_the_callers_own_request_id_is_no_conflict() -> None:
    check_plan(plan(OBSERVATION).model_copy(update={"request_id": "later"}), **matching())  # type: ignore[arg-type]


def test_every_difference_is_reported_at_once_with_its_remedy() -> None:
    refused = conflict(
        plan(OBSERVATION), source_digest="sha256:ff", media_type="image/png", snapshot=snapshot([NATIVE])
    )
    assert [each["field"] for each in refused.details["mismatches"]] == ["source_digest", "media_type", "snapshot_id"]
    assert refused.details["mismatches"][1] == {"field": "media_type", "planned": PDF, "actual": "image/png"}
    for field in ("source_digest", "media_type", "snapshot_id"):
        assert field in refused.message
    assert "the document changed: plan it again" in refused.remedy
    assert refused.remedy.endswith("(in Dagster: re-materialize plan)")
    assert (refused.http_status, refused.param) == (409, "plan")


def test_a_plan_of_older_rules_is_a_conflict() -> None:
    older = snapshot().model_copy(update={"policy_version": "0", "snapshot_id": "sha256:old"})
    refused = conflict(plan(OBSERVATION, older))
    assert [each["field"] for each in refused.details["mismatches"]] == ["snapshot_id", "policy_version"]


def test_an_edited_plan_is_a_conflict() -> None:
    """Otherwise a stored plan could grow a dearer route than the one that was approved."""
    decided = plan(OBSERVATION)
    edited = decided.model_copy(update={"document": decided.document.model_copy(update={"capability_ids": ("x",)})})
    assert [each["field"] for each in conflict(edited).details["mismatches"]] == ["plan_id"]


def test_a_document_that_is_counted_differently_now_is_a_conflict() -> None:
    """Another encoding, or another release of an observer: followed as it stands, the plan would lose pages."""
    with pytest.raises(PlanConflict) as refused:
        check_page_count(plan(OBSERVATION), 3)
    (mismatch,) = refused.value.details["mismatches"]
    assert mismatch == {"field": "page_count", "planned": 2, "actual": 3}
    check_page_count(plan(OBSERVATION), 2)
