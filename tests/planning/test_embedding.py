"""EMB-06 and the checks of embedding spaces: what cannot be filled with document vectors is no ready plan."""

from typing import Any

import pytest
from planning.builders import FakeEmbedder, P, embedder, observed, plan, snapshot

from indx_core.contracts.capability import Device, EmbedderRole, Modality
from indx_core.contracts.errors import InvalidEmbeddingSpace
from indx_core.contracts.plan import PlanStatus, RoutePlan

DOWN: dict[str, Any] = {"available": False, "unavailable_reason": "install the 'fastembed' extra"}


def planned(*embedders: FakeEmbedder, **constraints: Any) -> RoutePlan:
    return plan(observed(P), snapshot(embedders=embedders), embedding_space_ids=("space",), **constraints)


def test_a_space_nobody_declares_is_refused_naming_those_there_are() -> None:
    with pytest.raises(InvalidEmbeddingSpace, match="the space space; installed spaces: other"):
        planned(embedder("e", "other"))


@pytest.mark.parametrize("modality", [Modality.TEXT, Modality.IMAGE])
def test_a_space_with_a_document_embedder_of_text_or_images_is_ready(modality: Modality) -> None:
    """EMB-06: an image space answers for the pages that are rendered."""
    assert planned(embedder("e", "space", modalities=(modality,))).status is PlanStatus.READY


def test_a_space_that_only_answers_queries_is_unsatisfied() -> None:
    """EMB-06."""
    decided = planned(embedder("e", "space", roles=(EmbedderRole.QUERY,)))
    assert decided.status is PlanStatus.UNSATISFIED
    assert decided.unsatisfied == (
        (
            "embedding_space_ids: space embeds no document input this run produces (text, image); name a space with a "
            "document embedder"
        ),
    )


def test_a_space_whose_document_embedders_are_all_external_is_unsatisfied_under_data_residency() -> None:
    hosted = embedder("hosted", "space", device=Device.EXTERNAL)
    local_query = embedder("local", "space", roles=(EmbedderRole.QUERY,))
    assert planned(hosted, local_query).status is PlanStatus.READY
    assert planned(hosted, local_query, data_residency=True).unsatisfied == (
        (
            "data_residency: every document embedder of space runs on an external device (hosted); name a local space, or "
            "drop data_residency"
        ),
    )


def test_one_local_document_embedder_satisfies_data_residency() -> None:
    both = (embedder("hosted", "space", device=Device.EXTERNAL), embedder("local", "space"))
    assert planned(*both, data_residency=True).status is PlanStatus.READY


def test_a_space_whose_embedder_cannot_run_is_unsatisfied_saying_what_to_install() -> None:
    assert planned(embedder("e", "space", **DOWN)).unsatisfied == (
        "embedding_space_ids: no document embedder of space can run here; e: install the 'fastembed' extra",
    )


def test_an_embedder_that_residency_forbids_is_no_help_when_the_local_one_is_down() -> None:
    decided = planned(
        embedder("hosted", "space", device=Device.EXTERNAL), embedder("e", "space", **DOWN), data_residency=True
    )
    assert decided.status is PlanStatus.UNSATISFIED
