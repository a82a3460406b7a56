"""Parts of answers that every lane of a language model reads in the same way."""

import pytest
from pydantic import BaseModel, ValidationError

from indx_core.contracts.annotation import Label
from indx_core.kit.llm.answers import CLOSED, Share, ranked


class Answer(BaseModel):
    """A shape as a lane has it."""

    model_config = CLOSED
    confidence: Share


def test_labels_are_ordered_by_confidence_and_each_stands_once_with_its_highest() -> None:
    given = [("b", 0.5), ("a", 0.2), ("c", 0.5), ("a", 0.9)]
    assert ranked(given) == (
        Label(label="a", confidence=0.9),
        Label(label="b", confidence=0.5),
        Label(label="c", confidence=0.5),
    )


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_confidence_outside_zero_to_one_is_refused(value: float) -> None:
    with pytest.raises(ValidationError, match="between 0 and 1"):
        Answer(confidence=value)


def test_a_shape_is_closed_for_vendors_and_forgives_what_a_model_adds() -> None:
    assert Answer.model_json_schema()["additionalProperties"] is False
    assert Answer.model_validate({"confidence": 0.5, "why": "it says so"}) == Answer(confidence=0.5)
