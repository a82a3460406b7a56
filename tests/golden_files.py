"""Golden files: one switch regenerates them, and a test proves that the switch is off.

``check`` compares readable JSON, so a change of behaviour shows as a diff a reviewer can judge.
"""

import json
import os
from pathlib import Path

SWITCH = "INDX_REGENERATE_GOLDEN"


def regenerating() -> bool:
    """Whether this run rewrites the golden files instead of comparing with them."""
    return os.environ.get(SWITCH) == "1"


def check(case_dir: Path, actual: object) -> None:
    """Compare ``actual`` with the case's ``expected.json``; write it when the switch is on."""
    rendered = json.dumps(actual, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    expected = case_dir / "expected.json"
    if regenerating():
        expected.write_text(rendered, encoding="utf-8")
    assert expected.read_text(encoding="utf-8") == rendered
