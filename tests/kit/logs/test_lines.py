"""Log lines: what they belong to, and that only our own loggers are touched where somebody hosts us."""

import io
import json
import logging

import pytest

from indx_core.kit.logs import JsonLines, correlated, log_where_asked
from indx_core.kit.settings import overriding


def line(message: str, **facts: object) -> dict[str, object]:
    record = logging.LogRecord("indx.run", logging.INFO, __file__, 1, message, None, None)
    record.facts = facts
    return json.loads(JsonLines().format(record))


def test_a_line_names_everything_it_belongs_to_and_only_while_it_does() -> None:
    with correlated(run_id="r1"), correlated(corpus="c", key="c/日本.pdf"):
        inside = line("document", pages=2)
    assert inside == inside | {"run_id": "r1", "corpus": "c", "key": "c/日本.pdf", "pages": 2, "message": "document"}
    assert {"run_id", "corpus", "key"}.isdisjoint(line("later"))


@pytest.mark.usefixtures("own_loggers")
def test_lines_are_written_where_they_are_asked_for_and_nobody_elses_loggers_are_touched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, root = io.StringIO(), logging.getLogger().handlers[:]
    monkeypatch.setattr("sys.stderr", out)
    log_where_asked()
    logging.getLogger("indx.run").info("unheard")
    with overriding({"INDX_LOG": "json"}):
        log_where_asked()
        log_where_asked()
    logging.getLogger("indx.run").info("heard")
    logging.getLogger("indx_core.app").warning("heard too")
    assert [json.loads(each)["message"] for each in out.getvalue().splitlines()] == ["heard", "heard too"]
    assert logging.getLogger().handlers == root
