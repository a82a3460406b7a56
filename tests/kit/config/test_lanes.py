"""Lanes named by variables win over those of the file, for the general options and for a corpus's own."""

from pathlib import Path

import pytest

from indx_core.contracts.errors import ConfigInvalid
from indx_core.kit.config import load_config
from indx_core.kit.settings import overriding

FILE = """
[ingest]
embedding_spaces = ["default-text"]
[ingest.classification]
document_ids = ["words"]
page_ids = ["labels"]
[ingest.extraction.page_ids_by_language]
ja = ["vibrato"]
[corpora.plain]
root = "plain"
[corpora.own]
root = "own"
[corpora.own.ingest]
embedding_spaces = ["sentence-multilingual"]
"""


@pytest.fixture
def file(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "indx.toml"
    path.write_text(FILE, encoding="utf-8")
    return {"INDX_CONFIG": str(path)}


def test_without_a_variable_the_file_says_it_all(file: dict[str, str]) -> None:
    with overriding(file):
        config = load_config().config
    assert config.options("plain").classification.page_ids == ("labels",)
    assert config.options("plain").extraction.page_ids_by_language == {"ja": ("vibrato",)}
    assert config.options("own").embedding_spaces == ("sentence-multilingual",)


def test_a_variable_wins_for_every_corpus_and_leaves_the_rest_as_it_is(file: dict[str, str]) -> None:
    variables = {
        "INDX_INGEST_EMBEDDING_SPACES": "hosted-text, default-text",
        "INDX_INGEST_CLASSIFICATION_DOCUMENT_IDS": "labels",
        "INDX_INGEST_EXTRACTION_PAGE_IDS": "patterns",
    }
    with overriding({**file, **variables}):
        config = load_config().config
    for corpus in ("plain", "own"):
        options = config.options(corpus)
        assert options.embedding_spaces == ("hosted-text", "default-text")
        assert options.classification.document_ids == ("labels",)
        assert options.extraction.page_ids == ("patterns",)
    assert config.options("plain").classification.page_ids == ("labels",)
    assert config.options("plain").extraction.page_ids_by_language == {"ja": ("vibrato",)}


def test_a_comma_alone_names_none(file: dict[str, str]) -> None:
    with overriding({**file, "INDX_INGEST_CLASSIFICATION_PAGE_IDS": ","}):
        assert load_config().config.ingest.classification.page_ids == ()


def test_a_language_that_is_no_code_is_refused_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "indx.toml"
    path.write_text('[ingest.extraction.page_ids_by_language]\nJapanese = ["vibrato"]\n', encoding="utf-8")
    with (
        overriding({"INDX_CONFIG": str(path)}),
        pytest.raises(ConfigInvalid, match=r"ingest\.extraction\.page_ids_by_language\.Japanese"),
    ):
        load_config()
