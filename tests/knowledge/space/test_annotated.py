"""What annotators said, as fields of documents and chunks."""

from indx_core.knowledge.space.annotated import WHOLE, Annotated, Name


def test_the_surest_language_is_the_main_one() -> None:
    """A format may state what a detector was less sure of."""
    said = Annotated()
    for language, confidence in (("ja", 0.6), ("en", 0.9), ("ja", 1.0), ("ja", 0.7)):
        said.say(language, confidence)
    assert said.document_metadata() == {"language": "ja"}


def test_the_label_of_a_document_is_its_type() -> None:
    said = Annotated(labels={WHOLE: {"document_type": "policy", "topic": "retention", "topics": "privacy"}})
    assert said.document("application/pdf") == {
        "type": "policy",
        "topics": ["retention", "privacy"],
        "tags": [],
        "summary": None,
    }
    assert Annotated().document("application/pdf")["type"] == "pdf"


def test_a_chunk_has_the_labels_of_its_page_and_its_own_before_them() -> None:
    said = Annotated(
        labels={"page:1": {"a": "page", "b": "page"}, "page:1/chunk:1": {"a": "chunk"}, "page:2": {"c": "x"}}
    )
    assert said.chunk_metadata("page:1/chunk:1", 1, "text") == {"labels": {"a": "chunk", "b": "page"}}


def test_a_name_stands_with_the_chunks_that_print_it() -> None:
    tokyo, other = Name("organization", "東京電力", "Tokyo Electric"), Name("organization", "みどり銀行", None)
    said = Annotated(names={WHOLE: {tokyo: None}, "page:1": {other: None}, "page:2": {tokyo: None}})
    assert said.chunk_metadata("page:1/chunk:1", 1, "東京電力とみどり銀行") == {
        "entities": {"organization": ["Tokyo Electric", "みどり銀行", "東京電力"]}
    }
    assert said.chunk_metadata("page:3/chunk:1", 3, "みどり銀行") == {}
