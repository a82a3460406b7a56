"""The space of a corpus out of a lake that the real chain filled."""

import importlib.metadata
from pathlib import Path

import pytest
from app.ingest.documents import Corner
from knowledge.corpora import ingested, linking

from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.ingest import Grain
from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.search import SearchFilters
from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.build import build_space
from indx_core.knowledge.space.index_json import index_lines


@pytest.fixture(scope="module")
def corner(tmp_path_factory: pytest.TempPathFactory) -> Corner:
    return ingested(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def space(corner: Corner) -> KnowledgeSpace:
    return build_space(corner.lake, "corner")


def test_documents_stand_in_traversal_order_with_their_chunks(space: KnowledgeSpace) -> None:
    assert [(each.id, each.path) for each in space.documents()] == [
        ("doc_0001", "readme.txt"),
        ("doc_0002", "mail/answer.eml"),
        ("doc_0003", "mail/question.eml"),
        ("doc_0004", "規程/copy.txt"),
        ("doc_0005", "規程/保存.txt"),
    ]
    for document in space.documents():
        chunks = [space.chunk(each) for each in document.chunk_ids]
        assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
        assert {chunk.doc_id for chunk in chunks} == {document.id}


def test_a_chunk_says_where_it_stands_and_who_made_it(space: KnowledgeSpace) -> None:
    chunk = space.chunk(space.document("doc_0005").chunk_ids[0])
    assert chunk.metadata["page"] == 1
    assert chunk.metadata["block_id"] == "page:1/chunk:1"
    assert chunk.metadata["box_reason"]
    assert chunk.metadata["chunker"].startswith("indx-chunker")
    assert chunk.metadata["capability_id"]
    assert chunk.source.type == "text"


def test_a_document_says_what_it_is(space: KnowledgeSpace) -> None:
    mail = space.document("doc_0002")
    assert (mail.type, mail.folder, mail.lineage) == ("mail", "mail", ["mail"])
    assert mail.metadata["date"] == "2024-04-02"
    assert mail.metadata["title"] == "Re: 保存期間"
    assert mail.metadata["pages"] == {"completed": 1}


def test_references_are_seen_from_both_sides(space: KnowledgeSpace) -> None:
    answer, question = space.document("doc_0002"), space.document("doc_0003")
    assert [(edge.to, edge.weight) for edge in answer.references] == [("doc_0003", 1.0)]
    assert [edge.to for edge in question.referenced_by] == ["doc_0002"]
    assert (
        Relation(type=RelationType.DUPLICATE_OF, from_id="doc_0005", to="doc_0004", weight=1.0, evidence="same bytes")
        in space.relations
    )


def test_hyperlinks_are_carried_from_the_reader_to_the_edge(tmp_path: Path) -> None:
    corner = Corner(tmp_path)
    for name, data in linking().items():
        corner.write(name, data)
    corner.run(*(corner.task(source.path) for source in corner.listed()))
    space = build_space(corner.lake, "corner")
    board, letter, table, rule = space.documents()
    assert [(edge.to, edge.evidence) for edge in rule.referenced_by] == [
        (board.id, "link “our duty” on page 1: ../rules/retention.txt"),
        (letter.id, "link “what is kept” on page 1: ..\\rules\\retention.txt"),
        (table.id, "link “days” on page 1: ../rules/retention.txt"),
    ]
    assert [link["target"] for link in letter.metadata["links"]] == ["..\\rules\\retention.txt", "https://example.com/"]
    assert board.metadata["links"][0]["box"] == pytest.approx([0.1977, 0.101, 0.2663, 0.1212], abs=1e-4)
    (chunk,) = [space.chunk(each) for each in board.chunk_ids]
    assert [edge.to for edge in chunk.relations if edge.type is RelationType.REFERENCES] == [rule.path]


def test_what_was_refused_is_an_error_of_the_space(space: KnowledgeSpace) -> None:
    (error,) = space.metadata["errors"]
    assert (error["path"], error["stage"], error["code"]) == ("broken.pdf", "observation", "source_unreadable")


def test_a_space_says_what_built_it_and_how(corner: Corner) -> None:
    metadata = build_space(corner.lake, "corner", config={"languages": False}).metadata
    assert metadata["tool"] == {"name": "indx-dagster", "version": importlib.metadata.version("indx-dagster")}
    assert (metadata["corpus"], metadata["config"]) == ("corner", {"languages": False})


def test_every_text_chunk_has_its_vector(space: KnowledgeSpace) -> None:
    vectors = space.vectors["default-text"]
    assert vectors.matrix.shape == (len(space.chunks), 256)
    assert vectors.encoder["embedder_ids"] == ["hashed-text"]
    assert space.stats.embed_dim == 256


def test_the_space_answers(space: KnowledgeSpace) -> None:
    assert space.search("保存期間", filters=SearchFilters(types=("mail",)))[0].source.path.startswith("mail/")


def test_both_grains_give_the_same_space(corner: Corner, tmp_path: Path, space: KnowledgeSpace) -> None:
    other = build_space(ingested(tmp_path, Grain.SHARD).lake, "corner")
    moved = str(tmp_path), str(corner.root.parent)
    assert "".join(index_lines(other)).replace(*moved) == "".join(index_lines(space))


def test_what_a_complete_listing_no_longer_has_is_left_out(tmp_path: Path) -> None:
    corner = ingested(tmp_path)
    (corner.root / "readme.txt").unlink()
    corner.record_listing()
    assert "readme.txt" not in [each.path for each in build_space(corner.lake, "corner").documents()]


def test_a_corpus_that_never_was_is_an_error(corner: Corner) -> None:
    with pytest.raises(RequestInvalid, match="'corne'"):
        build_space(corner.lake, "corne")
