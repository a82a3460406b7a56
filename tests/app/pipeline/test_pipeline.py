"""``DirectoryPipeline``: a folder or ZIP file to a space, its stages and slots replaceable, one bad file no end."""

import os
import zipfile
from pathlib import Path

import pytest
from knowledge.corpora import RULE, linking
from office_builder import frame, pptx, shape

from indx_core.app.pipeline import DirectoryPipeline, SpaceContext
from indx_core.app.pipeline.slots import InstalledVLM
from indx_core.contracts.annotation import AnnotationSelection, Enrichment, ExtractionSelection, Label
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import CapabilityUnavailable, ConfigInvalid, SourceUnreadable
from indx_core.contracts.ingest import IndxConfig, IngestOptions
from indx_core.contracts.knowledge import ParsedDoc, RelationType, Source
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.index_json import index_lines
from indx_core.testing.fakes.reading import FakeReader

FILES = {
    "readme.txt": b"The rule is in gdpr.txt of this folder.\n",
    "legal/gdpr.txt": RULE.encode(),
    "legal/copy.txt": RULE.encode(),
    "legal/broken.pdf": b"%PDF-1.7\nbroken",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    for path, data in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / ".hidden").write_text("x")
    (root / "link.txt").symlink_to(root / "readme.txt")
    return root


class PlainParser:
    """A parser of one's own: the file's text and no blocks."""

    def parse(self, path: str, data: bytes) -> ParsedDoc:
        if path.endswith(".pdf"):
            raise OSError("token=secret")
        source = Source(path=path, folder=path.rpartition("/")[0], type="plain")
        return ParsedDoc(source=source, text=data.decode(), metadata={"byte_count": len(data)})


def test_a_folder_becomes_a_space(folder: Path, tmp_path: Path) -> None:
    space = DirectoryPipeline().run(folder, tmp_path / "out")
    assert [each.path for each in space.documents()] == ["readme.txt", "legal/copy.txt", "legal/gdpr.txt"]
    assert [(edge.to, edge.evidence) for edge in space.document("doc_0001").references] == [
        ("doc_0003", "file name: gdpr.txt")
    ]
    assert [edge.to for edge in space.document("doc_0003").referenced_by] == ["doc_0001"]
    assert any(edge.type is RelationType.DUPLICATE_OF for edge in space.relations)
    assert [(each["path"], each["stage"], each["code"]) for each in space.errors] == [
        ("legal/broken.pdf", "parse", "source_unreadable")
    ]
    assert space.search("保存期間")[0].source.folder == "legal"
    assert KnowledgeSpace.load(tmp_path / "out" / "space.indx") == space
    assert KnowledgeSpace.load(tmp_path / "out") == space


def test_a_thread_of_mail_is_seen_in_its_headers(tmp_path: Path) -> None:
    head = "From: a@example.com\nTo: b@example.com\nDate: Tue, 2 Apr 2024 09:00:00 +0900\nSubject: x\nMessage-ID: "
    (tmp_path / "1.eml").write_text(f"{head}<1@example.com>\n\nquestion\n")
    (tmp_path / "2.eml").write_text(f"{head}<2@example.com>\nIn-Reply-To: <1@example.com>\n\nanswer\n")
    answer = DirectoryPipeline().run(tmp_path).document("doc_0002")
    assert [edge.evidence for edge in answer.references] == ["mail: in reply to <1@example.com>"]
    assert answer.metadata["date"] == "2024-04-02"


def test_hyperlinks_are_references_here_too(tmp_path: Path) -> None:
    for path, data in linking().items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(data)
    board, letter, _, rule = DirectoryPipeline().run(tmp_path).documents()
    assert [edge.evidence for edge in rule.referenced_by] == [
        "link “our duty” on page 1: ../rules/retention.txt",
        "link “what is kept” on page 1: ..\\rules\\retention.txt",
        "link “days” on page 1: ../rules/retention.txt",
    ]
    assert letter.metadata["links"][1] == {"target": "https://example.com/", "text": "our site", "page": 1}
    assert board.metadata["links"][0]["page"] == 1


def test_a_name_that_is_no_utf_8_is_spelled_and_its_file_read(tmp_path: Path) -> None:
    """Half a surrogate pair, as Python hands such a name over, can be written to no index."""
    (tmp_path / os.fsdecode(b"price\xff.txt")).write_text("a price")
    (tmp_path / "price\\xff.txt").write_text("another price")
    space = DirectoryPipeline().run(tmp_path, tmp_path / "out")
    assert [chunk.text for chunk in space.chunks] == ["another price", "a price"]
    assert [document.path for document in space.documents()] == ["price\\xff.txt", "price\\xff~.txt"]


def test_a_pipe_in_a_folder_is_no_document(tmp_path: Path) -> None:
    """Reading one waits for a writer, for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "note.txt").write_text("words")
    assert [document.path for document in DirectoryPipeline().run(tmp_path).documents()] == ["note.txt"]


def test_a_zip_file_is_walked_like_the_folder_it_packs(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "tree.zip", "w") as archive:
        for path, data in FILES.items():
            archive.writestr(path, data)
        archive.writestr("__MACOSX/._readme.txt", b"x")
    packed, walked = DirectoryPipeline().run(tmp_path / "tree.zip"), DirectoryPipeline().run(folder)
    texts = ["".join(index_lines(space)).replace(space.root, "") for space in (packed, walked)]
    assert texts[0] == texts[1]


def test_a_japanese_name_of_a_windows_zip_file_is_read(tmp_path: Path) -> None:
    """Explorer writes Shift_JIS without the Unicode flag."""
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("ABCDEFGH.txt", "text")
    data = (tmp_path / "x.zip").read_bytes().replace(b"ABCDEFGH.txt", "規程一覧".encode("cp932") + b".txt")
    (tmp_path / "x.zip").write_bytes(data)
    assert [each.path for each in DirectoryPipeline(parser=PlainParser()).run(tmp_path / "x.zip").documents()] == [
        "規程一覧.txt"
    ]


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"no zip"])
def test_what_cannot_be_walked_is_a_typed_error(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(SourceUnreadable, match="the ZIP file cannot be walked"):
        DirectoryPipeline().run(tmp_path / "x.zip")
    with pytest.raises(SourceUnreadable, match="no such folder"):
        DirectoryPipeline().run(tmp_path / "nothing")


def test_the_same_tree_gives_the_same_archive(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        DirectoryPipeline().run(folder, tmp_path / name)
    assert (tmp_path / "a/space.indx").read_bytes() == (tmp_path / "b/space.indx").read_bytes()


def test_a_parser_of_ones_own_gives_paragraphs(folder: Path) -> None:
    space = DirectoryPipeline(parser=PlainParser()).run(folder)
    rule = next(each for each in space.documents() if each.path == "legal/gdpr.txt")
    assert [space.chunk(each).text for each in rule.chunk_ids] == [part.strip() for part in RULE.split("\n\n")]
    assert space.stats.types == {"plain": 3}


def test_a_foreign_exception_is_an_error_of_its_file_and_keeps_its_text_to_itself(folder: Path) -> None:
    (error,) = DirectoryPipeline(parser=PlainParser()).run(folder).errors
    assert (error["path"], error["code"]) == ("legal/broken.pdf", "OSError")
    assert "secret" not in error["message"]


class Summaries:
    def enrich(self, text: str) -> Enrichment:
        if "gdpr" in text:
            raise ValueError
        return Enrichment(summary=text[:4], tags=(Label(label="rule", confidence=1.0),))


class Counting:
    """An embedder of one's own."""

    space_id = "lengths"

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]


class Broken:
    """An embedder that is away for some texts."""

    space_id = "lengths"

    def embed(self, texts: list[str]) -> list[list[float]]:
        if any("readme" in text for text in texts):
            raise ConnectionError("token=secret")
        return [[1.0] for _ in texts]


class Seeing:
    """A vision model of one's own."""

    def describe(self, image: bytes) -> str:
        if not image.startswith(b"\x89PNG"):
            raise ValueError
        return "a red square"


class Listing:
    """An output of one's own."""

    def write(self, space: KnowledgeSpace, out: Path) -> None:
        (out / "paths.txt").write_text("\n".join(each.path for each in space.documents()))


def test_every_slot_takes_an_object(folder: Path, tmp_path: Path) -> None:
    pipeline = DirectoryPipeline(parser=PlainParser(), llm=Summaries(), embedder=Counting(), output=Listing())
    space = pipeline.run(folder, tmp_path / "out")
    assert space.document("doc_0003").summary == "保存期間"
    assert space.document("doc_0003").tags == ["rule"]
    assert [error["stage"] for error in space.errors] == ["parse", "enrich"]
    assert space.vectors["lengths"].dimension == 2
    assert (tmp_path / "out" / "paths.txt").read_text().startswith("readme.txt")


def test_a_passage_that_cannot_be_embedded_is_an_error_of_its_file_and_still_found(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("The readme of a thousand words")
    space = DirectoryPipeline(embedder=Broken()).run(tmp_path)
    assert [(each["path"], each["stage"], each["code"]) for each in space.errors] == [
        ("readme.txt", "embed_and_pack", "ConnectionError")
    ]
    assert space.vectors == {}
    assert space.search("thousand")[0].source.path == "readme.txt"


def test_the_slot_vlm_describes_the_pictures_of_a_slide(tmp_path: Path) -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="7" name="Photo"/></p:nvPicPr><p:blipFill><a:blip r:embed="rPic"/></p:blipFill>'
        f"<p:spPr>{frame(0, 500, 500, 500)}</p:spPr></p:pic>"
    )
    for name, data in (("png", b"\x89PNG\r\n\x1a\n"), ("jpeg", b"\xff\xd8\xff")):
        slides = pptx(
            shape(2, "A title", frame(0, 0, 500, 100)) + picture,
            slide_links={0: [("rPic", "image", "../a.bin")]},
            parts={"ppt/a.bin": data},
        )
        (tmp_path / f"{name}.pptx").write_bytes(slides)
    space = DirectoryPipeline(vlm=Seeing()).run(tmp_path)
    assert [(chunk.source.path, chunk.text) for chunk in space.chunks] == [
        ("jpeg.pptx", "A title"),
        ("jpeg.pptx", ""),
        ("png.pptx", "A title"),
        ("png.pptx", "a red square"),
    ]
    assert [(each["path"], each["stage"]) for each in space.errors] == [("jpeg.pptx", "enrich")]


def test_an_installed_vision_model_reads_the_picture() -> None:
    def reading(*outputs: PageOutput) -> InstalledVLM:
        answers, absent = {output.number: output for output in outputs}, frozenset() if outputs else frozenset({1})
        return InstalledVLM(FakeReader("generic-vlm", CapabilityKind.VLM, outputs=answers, absent=absent))

    assert reading(PageOutput(1, text="a red square")).describe(b"\x89PNG\r\n") == "a red square"
    with pytest.raises(CapabilityUnavailable, match="generic-vlm cannot read the picture: too dark"):
        reading(PageOutput(1, PageStatus.FAILED, reason="too dark")).describe(b"\x89PNG\r\n")
    with pytest.raises(CapabilityUnavailable, match="it gave no answer"):
        reading().describe(b"\xff\xd8\xff")


@pytest.mark.parametrize(
    ("output", "file"), [("jsonl", "chunks.jsonl"), ("parquet", "chunks.parquet"), ("qdrant", "points.jsonl")]
)
def test_an_output_for_another_index_is_named(folder: Path, tmp_path: Path, output: str, file: str) -> None:
    DirectoryPipeline(parser=PlainParser(), output=output).run(folder, tmp_path / "out")
    assert (tmp_path / "out" / file).stat().st_size > 0


def test_vectors_say_what_a_query_has_to_be_encoded_with(folder: Path) -> None:
    """Whoever asks another system's index has the vectors and not this software's word for them."""
    encoder = DirectoryPipeline(parser=PlainParser()).run(folder).vectors["default-text"].encoder
    assert (encoder["dimension"], encoder["metric"], encoder["normalization"]) == (256, "cosine", "l2")
    assert (encoder["embedder_ids"], encoder["embedders"][0]["embedder_id"]) == (["hashed-text"], "hashed-text")


def test_annotators_that_the_configuration_names_are_asked(tmp_path: Path) -> None:
    """The type of a document is its label, and what a page names stands with the chunk that names it."""
    (tmp_path / "a.txt").write_text(
        "請求書\n\n請求日 2026年4月1日\n請求金額 ¥12,000\n振込先 みどり銀行", encoding="utf-8"
    )
    named = IngestOptions(
        classification=AnnotationSelection(document_ids=("words",)),
        extraction=ExtractionSelection(page_ids=("patterns",)),
        enrichment=AnnotationSelection(document_ids=("extractive",)),
    )
    space = DirectoryPipeline(config=IndxConfig(ingest=named)).run(tmp_path)
    (document,) = space.documents()
    assert document.type == document.metadata["labels"]["document_type"] == "invoice"
    assert document.summary
    assert "summary" not in document.metadata
    (chunk,) = space.chunks
    assert "2026-04-01" in chunk.metadata["entities"]["date"]
    assert DirectoryPipeline().run(tmp_path).documents()[0].type == "text"


def test_an_installed_enricher_is_named() -> None:
    assert DirectoryPipeline(llm="extractive").names == ["walk", "parse", "chunk", "relate", "enrich", "embed_and_pack"]


@pytest.mark.parametrize("slot", ["parser", "llm", "vlm", "embedder", "output"])
def test_a_name_that_nothing_answers_to_lists_what_does(slot: str) -> None:
    with pytest.raises(ConfigInvalid, match=rf"nothing called 'other' fits the slot {slot}; there is: \w"):
        DirectoryPipeline(**{slot: "other"})


class Redact:
    """A stage of one's own."""

    name = "redact"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        ctx.chunks = [each.model_copy(update={"text": each.text.replace("九十日", "■■■")}) for each in ctx.chunks]
        return ctx


def test_stages_are_inserted_dropped_and_replaced(folder: Path) -> None:
    pipeline = DirectoryPipeline(parser=PlainParser()).insert(Redact(), before="relate").drop("enrich")
    assert pipeline.names == ["walk", "parse", "chunk", "redact", "relate", "embed_and_pack"]
    assert not any("九十日" in chunk.text for chunk in pipeline.run(folder).chunks)
    assert pipeline.replace("relate", Redact()).run(folder).relations == []
    assert pipeline.insert(Redact(), after="embed_and_pack").names[-1] == "redact"


@pytest.mark.parametrize("name", ["walk", "parse", "chunk", "relate", "enrich", "embed_and_pack"])
def test_any_stage_may_be_left_out(folder: Path, name: str) -> None:
    """What it would have added is missing, and nothing else is."""
    space = DirectoryPipeline(parser=PlainParser(), embedder=Counting()).drop(name).run(folder)
    parts = {
        "documents": space.documents(),
        "chunks": space.chunks,
        "relations": space.relations,
        "vectors": space.vectors,
    }
    missing = {
        "walk": {"documents", "chunks", "relations", "vectors"},
        "parse": {"chunks", "vectors"},
        "chunk": {"chunks", "vectors"},
        "relate": {"relations"},
        "embed_and_pack": {"vectors"},
    }
    assert {part for part, found in parts.items() if not found} == missing.get(name, set())


def test_a_stage_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ConfigInvalid, match="'rank'"):
        DirectoryPipeline().drop("rank")
    with pytest.raises(ConfigInvalid, match="before or after"):
        DirectoryPipeline().insert(Redact())


def test_stages_share_one_context(folder: Path) -> None:
    class Seen:
        name = "seen"

        def run(self, ctx: SpaceContext) -> SpaceContext:
            self.ctx = ctx
            return ctx

    seen = Seen()
    done = DirectoryPipeline(parser=PlainParser()).insert(seen, after="walk").run_context(folder)
    assert done is seen.ctx
    assert done.dir_graph[""] == {"files": ["readme.txt"], "folders": ["legal"]}
    assert set(done.embeddings) == {chunk.id for chunk in done.chunks}
    assert set(done.parsed) == {document.id for document in done.documents}
