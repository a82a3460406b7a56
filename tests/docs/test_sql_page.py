"""Every statement of docs/sql.md runs over the sample corpus and answers something."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.corpus import named_corpus
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.listings import partition_name, record_listing
from indx_core.app.ingest.task import STAGES, DocumentTask
from indx_core.app.installation import Installation
from indx_core.kit.config import load_config
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding
from indx_core.knowledge.sql import query

ROOT = Path(__file__).resolve().parents[2]
STATEMENTS = re.findall(
    r"^```sql\n(.*?)^```", (ROOT / "docs" / "sql.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)
MAY_BE_EMPTY = (
    "fallback_index > 0",
    "FROM languages",
    "FROM tombstones",
    "status <> 'completed'",
    "FROM reviews",
    "cost_known = false",
    "unnest(links)",
)
"""Statements about what a good corpus does not have, or what an optional engine adds."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample_lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    """The sample corpus through every stage in this process, without Dagster."""
    variables = {
        "INDX_CONFIG": str(ROOT / "indx.toml"),
        "INDX_LAKE": str(tmp_path_factory.mktemp("lake")),
        "INDX_TEXT_ENCODING": "utf-8-sig,cp932",
        "INDX_WORKERS": "0",
    }
    with overriding(variables):
        loaded, lake = load_config(), Lake.open()
        sources = list_corpus(named_corpus("sample", loaded), Installation.current().registry)
        record_listing(lake, "sample", sources, loaded.config)
        tasks = [
            DocumentTask(
                key=source.key,
                corpus=source.corpus,
                path=source.path,
                uri=source.uri,
                version=source.source_version,
                partition=partition_name(source.key, loaded.config),
                stages=STAGES,
                options=loaded.config.options(source.corpus),
            )
            for source in sources
        ]
        outcomes = list(run_tasks(tasks, lake, loaded.config.grain))
        assert len(outcomes) == len(sources)
        yield lake


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda statement: " ".join(statement.split())[:60])
def test_a_documented_statement_answers(sample_lake: Lake, statement: str) -> None:
    result = query(sample_lake, statement)
    assert result.columns
    assert result.rows or any(part in statement for part in MAY_BE_EMPTY)
