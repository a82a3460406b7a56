"""The day a document declares for itself, in the forms that formats write it in."""

import pytest

from indx_core.knowledge.space.declared import declared_day


@pytest.mark.parametrize(
    ("properties", "day"),
    [
        ({"created": "2024-04-01T09:00:00Z"}, "2024-04-01"),
        ({"created": "D:20240401090000+09'00'"}, "2024-04-01"),
        ({"date": "Mon, 1 Apr 2024 00:30:00 +0900"}, "2024-04-01"),
        ({"created": "2020-01-01", "modified": "2024-04-01"}, "2024-04-01"),
        ({"modified": "yesterday", "created": "2020-01-01"}, "2020-01-01"),
        ({"date": "yesterday"}, None),
        ({}, None),
    ],
)
def test_a_declared_date_is_a_day(properties: dict[str, str], day: str | None) -> None:
    """A mail's day is its sender's: half past midnight in Tokyo is still the first of April."""
    assert declared_day(properties) == day
