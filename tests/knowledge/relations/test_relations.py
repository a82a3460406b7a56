"""Edges of a corpus: each kind found where it stands, with its evidence, and none where it does not."""

import random
from urllib.parse import unquote

import pytest

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.contracts.page import Box, Link
from indx_core.knowledge.relations import Edges, PageLink, Passage, RelatedDocument, relate


def corpus(*documents: tuple[str, str] | RelatedDocument) -> list[RelatedDocument]:
    """Documents by path and text, numbered in the order given; a text is one chunk, ``\\f`` begins another."""
    made = []
    for number, each in enumerate(documents, start=1):
        if isinstance(each, RelatedDocument):
            made.append(each)
            continue
        path, text = each
        passages = tuple(Passage(f"chunk_{number}_{n}", part) for n, part in enumerate(text.split("\f")))
        made.append(RelatedDocument(f"doc_{number}", path, passages=passages))
    return made


def edges(found: Edges, kind: RelationType) -> list[tuple[str | None, str]]:
    return [(edge.from_id, edge.to) for edge in found.graph if edge.type is kind]


def the_reference(text: str, *others: tuple[str, str], path: str = "policies/main.txt") -> Relation:
    """The one reference of a document with this text among others."""
    found = relate(corpus((path, text), *others))
    (edge,) = [edge for edge in found.graph if edge.type is RelationType.REFERENCES]
    assert edge.from_id == "doc_1"
    return edge


def no_reference(text: str, *others: tuple[str, str], path: str = "policies/main.txt") -> bool:
    return edges(relate(corpus((path, text), *others)), RelationType.REFERENCES) == []


def test_the_tree_gives_parents_siblings_and_continuations() -> None:
    found = relate(corpus(("root.txt", "x"), ("a/one.txt", "x\fy\fz"), ("a/two.txt", "q"), ("a/b/three.txt", "w")))
    assert edges(found, RelationType.PARENT) == [("a/b", "a"), ("doc_2", "a"), ("doc_3", "a"), ("doc_4", "a/b")]
    assert edges(found, RelationType.SIBLING) == [("doc_2", "doc_3")]
    assert found.chunks == {
        "chunk_2_0": [Relation(type=RelationType.CONTINUES, to="chunk_2_1")],
        "chunk_2_1": [Relation(type=RelationType.CONTINUES, to="chunk_2_2")],
    }


@pytest.mark.parametrize(
    ("text", "weight", "evidence"),
    [
        ("[the law](../legal/gdpr.md#article-5)", 1.0, "link: ../legal/gdpr.md"),
        ('<a href="../legal/gdpr.md">', 1.0, "link: ../legal/gdpr.md"),
        ("kept as legal/gdpr.md says", 0.95, "path: legal/gdpr.md"),
        ("詳細はgdpr.mdを参照", 0.9, "file name: gdpr.md"),
        ("kept as ＧＤＰＲ．ｍｄ says", 0.9, "file name: GDPR.md"),
        ("kept as “GDPR” says", 0.8, "title: GDPR"),
        ("「ＧＤＰＲ」による", 0.8, "title: GDPR"),
        ("詳しくはgdprを参照", 0.75, "mention: gdpr"),
        ("For the rest see the GDPR.", 0.75, "mention: GDPR."),
    ],
)
def test_a_reference_has_its_evidence_and_weight(text: str, weight: float, evidence: str) -> None:
    edge = the_reference(text, ("legal/gdpr.md", "the regulation"))
    assert (edge.to, edge.weight, edge.evidence) == ("doc_2", weight, evidence)


def test_a_chunk_refers_to_a_path() -> None:
    found = relate(corpus(("a.txt", "nothing\fas gdpr.md says"), ("legal/gdpr.md", "")))
    assert found.chunks["chunk_1_1"] == [
        Relation(type=RelationType.REFERENCES, to="legal/gdpr.md", weight=0.9, evidence="file name: gdpr.md")
    ]


def test_the_surest_mention_of_a_document_is_kept() -> None:
    edge = the_reference("「gdpr」 and [x](../legal/gdpr.md) and gdpr.md", ("legal/gdpr.md", ""))
    assert edge.weight == 1.0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("別紙1のとおり", "a/別紙1 様式.docx"),
        ("別紙第１号のとおり", "a/別紙1 様式.docx"),
        ("別紙二のとおり", "a/02_別紙2.docx"),
        ("as Annex A shows", "a/annex_A.pdf"),
        ("資料 10 に示す", "a/資料10.pdf"),
        ("資料十に示す", "a/資料10.pdf"),
    ],
)
def test_a_numbered_attachment_of_the_same_folder_is_meant(text: str, named: str) -> None:
    names = ["a/別紙1 様式.docx", "a/02_別紙2.docx", "a/annex_A.pdf", "a/資料10.pdf", "b/別紙1.docx"]
    edge = the_reference(text, *((name, "") for name in names), path="a/main.txt")
    assert edge.to == f"doc_{names.index(named) + 2}"
    assert edge.weight == 0.7


def test_an_attachment_without_a_number_is_meant_where_there_is_one() -> None:
    assert the_reference("別紙のとおり", ("a/別紙.docx", ""), path="a/main.txt").to == "doc_2"
    assert no_reference("別紙のとおり", ("a/別紙1.docx", ""), ("a/別紙2.docx", ""), path="a/main.txt")


@pytest.mark.parametrize(
    "text",
    [
        "notgdpr.md is another file",
        "https://example.com/gdpr.md is elsewhere",
        "[elsewhere](../other/gdpr.md5)",
        "gdpr.mdx",
        "see page 3",
        "「個人情報」",
        "",
    ],
)
def test_what_names_nothing_of_the_corpus_is_no_reference(text: str) -> None:
    assert no_reference(text, ("legal/gdpr.md", ""))


def test_a_document_does_not_refer_to_itself() -> None:
    assert no_reference("this is main.txt", path="main.txt")


def test_of_two_files_of_one_name_the_nearer_is_meant() -> None:
    edge = the_reference("see list.csv", ("b/list.csv", "1"), ("a/list.csv", "2"), path="a/sub/main.txt")
    assert edge.to == "doc_3"


def test_two_files_that_are_equally_near_are_not_guessed_between() -> None:
    assert no_reference("see list.csv", ("b/list.csv", "1"), ("c/list.csv", "2"), path="a/main.txt")


def test_an_address_means_the_document_loaded_from_it() -> None:
    law = RelatedDocument("doc_2", "gdpr", uri="https://example.com/law/gdpr")
    found = relate(corpus(("a.txt", "as https://example.com/law/gdpr#a5 says"), law))
    assert edges(found, RelationType.REFERENCES) == [("doc_1", "doc_2")]


def linked(*links: PageLink, passages: tuple[Passage, ...] = (), path: str = "a/x.pdf") -> RelatedDocument:
    return RelatedDocument("doc_1", path, passages=passages, links=links)


@pytest.mark.parametrize(
    ("target", "weight"),
    [
        ("../b/法.pdf", 1.0),
        ("..\\b\\法.pdf", 1.0),
        ("../b/%E6%B3%95.pdf#page=3", 1.0),
        ("/b/法.pdf", 1.0),
        ("file:///..\\b\\法.pdf", 1.0),
        ("file:///srv/rules/b/法.pdf", 1.0),
        ("file:///srv/rules/b/%E6%B3%95.pdf", 1.0),
        ("file:///C:\\Users\\mori\\rules\\b\\法.pdf", 0.95),
        ("C:/rules/b/法.pdf", 0.95),
        ("\\\\server\\share\\rules\\b\\法.pdf", 0.95),
    ],
    ids=["relative", "backslashes", "escaped", "root", "Excel", "uri", "uri escaped", "drive", "bare drive", "share"],
)
def test_a_hyperlink_leads_to_a_document_however_it_is_written(target: str, weight: float) -> None:
    law = RelatedDocument("doc_2", "b/法.pdf", uri="file:///srv/rules/b/法.pdf")
    (edge,) = [
        each
        for each in relate([linked(PageLink(Link(target, "the law"), 3)), law]).graph
        if each.type is RelationType.REFERENCES
    ]
    assert (edge.from_id, edge.to, edge.weight) == ("doc_1", "doc_2", weight)
    assert edge.evidence == f"link “the law” on page 3: {unquote(target)}"


@pytest.mark.parametrize(
    "target",
    [
        "https://example.com/b/y.pdf",
        "mailto:y.pdf",
        "../y.pdf",
        "C:/y.pdf",
        "../../z/b/y.pdf",
        "x.pdf",
        "#top",
        "",
        "%",
    ],
)
def test_a_hyperlink_to_what_is_not_of_the_corpus_is_no_reference(target: str) -> None:
    """The same name at another place is another document, and a document does not refer to itself."""
    found = relate(corpus(linked(PageLink(Link(target))), ("b/y.pdf", "")))
    assert edges(found, RelationType.REFERENCES) == []


@pytest.mark.parametrize(
    ("link", "chunk"),
    [
        (PageLink(Link("../b/y.pdf", "", Box(0.4, 0.6, 0.5, 0.62)), 1), "lower"),
        (PageLink(Link("../b/y.pdf", "the law", Box(0.95, 0.0, 1.0, 0.01)), 1), "upper"),
        (PageLink(Link("../b/y.pdf", "ｔｈｅ　ｌａｗ"), 1), "upper"),
        (PageLink(Link("../b/y.pdf"), 2), "alone"),
        (PageLink(Link("../b/y.pdf", "elsewhere"), 1), None),
        (PageLink(Link("../b/y.pdf")), None),
    ],
    ids=["box", "outside", "words", "only chunk", "nowhere", "no page"],
)
def test_a_hyperlink_is_an_edge_of_the_chunk_it_stands_in(link: PageLink, chunk: str | None) -> None:
    passages = (
        Passage("upper", "what the law says", 1, Box(0.1, 0.1, 0.9, 0.5)),
        Passage("lower", "the rest", 1, Box(0.1, 0.5, 0.9, 0.9)),
        Passage("alone", "another page", 2),
    )
    found = relate(corpus(linked(link, passages=passages), ("b/y.pdf", "")))
    chunks = {name for name, made in found.chunks.items() for edge in made if edge.type is RelationType.REFERENCES}
    assert chunks == ({chunk} if chunk else set())
    assert edges(found, RelationType.REFERENCES) == [("doc_1", "doc_2")]


def test_a_message_refers_to_the_one_it_answers_and_to_its_thread() -> None:
    def message(number: int, **properties: str) -> RelatedDocument:
        return RelatedDocument(
            f"doc_{number}", f"{number}.eml", properties={"message_id": f"<{number}@x>", **properties}
        )

    found = relate(
        [message(1), message(2, in_reply_to="<1@x>"), message(3, in_reply_to="<2@x>", references="<1@x> <2@x> <9@x>")]
    )
    threads = [(e.from_id, e.to, e.weight, e.evidence) for e in found.graph if e.type is RelationType.REFERENCES]
    assert threads == [
        ("doc_2", "doc_1", 1.0, "mail: in reply to <1@x>"),
        ("doc_3", "doc_1", 0.9, "mail: references <1@x>"),
        ("doc_3", "doc_2", 1.0, "mail: in reply to <2@x>"),
    ]


LONG = (
    "個人情報の保護に関する規程を次のとおり定める。この規程は、取り扱う情報の安全な管理のために必要な事項を定める。" * 3
)
PROSE = " ".join(f"Sentence {n} of the report says what was measured on day {n * 7}." for n in range(40))


def test_the_same_bytes_are_a_duplicate() -> None:
    one, two = (RelatedDocument(f"doc_{n}", f"{n}.bin", digest="sha256:1") for n in (1, 2))
    (edge,) = [edge for edge in relate([one, two]).graph if edge.type is RelationType.DUPLICATE_OF]
    assert (edge.from_id, edge.to, edge.weight, edge.evidence) == ("doc_2", "doc_1", 1.0, "same bytes")


def test_the_same_text_in_another_format_is_a_duplicate() -> None:
    found = relate(corpus(("a.docx", LONG), ("a.pdf", LONG.replace("。", "。\n"))))
    (edge,) = [edge for edge in found.graph if edge.type is RelationType.DUPLICATE_OF]
    assert (edge.from_id, edge.to, edge.evidence) == ("doc_2", "doc_1", "same text")


def test_an_edited_text_is_a_near_duplicate() -> None:
    found = relate(corpus(("a.txt", PROSE), ("b.txt", PROSE.replace("measured on day 70.", "seen on day 71."))))
    (edge,) = [edge for edge in found.graph if edge.type is RelationType.DUPLICATE_OF]
    assert edge.evidence == "similar text"
    assert edge.weight is not None
    assert 0.8 <= edge.weight < 1.0


def made_up(generator: random.Random, count: int) -> list[str]:
    return [f"word{generator.randrange(10_000)}" for _ in range(count)]


def near(*texts: list[str]) -> list[tuple[str | None, str]]:
    """Near-duplicates among texts of their own folders, so that none is another one's neighbour."""
    return edges(relate(corpus(*((f"{n}/x.txt", " ".join(t)) for n, t in enumerate(texts)))), RelationType.DUPLICATE_OF)


def test_texts_that_share_six_sevenths_are_found_every_time() -> None:
    """An index that asked the sketches for the texts' own threshold found two thirds of such pairs."""
    generator = random.Random(7)
    pairs = [(whole, whole[:128] + whole[150:]) for whole in (made_up(generator, 150) for _ in range(30))]
    assert near(*(text for pair in pairs for text in pair)) == [
        (f"doc_{number}", f"doc_{number - 1}") for number in sorted(range(2, 61, 2), key=str)
    ]


def test_a_copy_is_found_among_many_that_resemble_it_a_little() -> None:
    """Forty forms share a bucket with each other, and sixteen are compared: the likeliest, not the first."""
    generator = random.Random(7)
    printed = made_up(generator, 122)
    forms = [printed + made_up(generator, 28) for _ in range(40)]
    assert near(*forms, forms[34][:-1]) == [("doc_41", "doc_35")]


def test_copies_point_at_the_first_and_not_at_each_other() -> None:
    texts = [PROSE.replace("day 70.", f"day 7{n}.") for n in range(5)]
    found = relate(corpus(*((f"{n}.txt", text) for n, text in enumerate(texts))))
    assert {to for _, to in edges(found, RelationType.DUPLICATE_OF)} == {"doc_1"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("以上", "以上"), ("", ""), (PROSE, LONG), ("short form A 1", "short form A 2")],
)
def test_what_is_too_short_or_different_is_no_duplicate(one: str, other: str) -> None:
    assert edges(relate(corpus(("a.txt", one), ("b.txt", other))), RelationType.DUPLICATE_OF) == []


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("規程_v1.docx", "規程_v2.docx"),
        ("規程_v9.docx", "規程_v10.docx"),
        ("規程v1.2.docx", "規程v1.10.docx"),
        ("規程.docx", "規程 (1).docx"),
        ("規程 第2版.pdf", "規程 第3版.pdf"),
        ("規程_案.docx", "規程_最終版.docx"),
        ("report draft.docx", "report final.docx"),
        ("規程.docx", "規程（改訂版）.docx"),
        ("report_rev2.pdf", "report_rev3.docx"),
    ],
)
def test_a_version_points_at_the_one_before_it(earlier: str, later: str) -> None:
    found = relate(corpus((later, "x"), (earlier, "y")))
    told = [(e.from_id, e.to) for e in found.graph if (e.evidence or "").startswith("version")]
    assert told == [("doc_1", "doc_2")]


def test_dated_files_are_versions_only_where_they_resemble_each_other() -> None:
    """Minutes of every month bear a date and are no versions of one another."""
    names = ("議事録_20240401.docx", "議事録_20240501.docx")
    alike = relate(corpus((names[0], PROSE), (names[1], PROSE.replace("day 7.", "day 8."))))
    assert any((edge.evidence or "").startswith("version") for edge in alike.graph)
    different = relate(corpus((names[0], PROSE), (names[1], LONG)))
    assert not any((edge.evidence or "").startswith("version") for edge in different.graph)


@pytest.mark.parametrize("pair", [("cover.txt", "cover.pdf"), ("a1.txt", "a2.txt"), ("v1.txt", "v2.txt")])
def test_no_version_is_seen_where_names_say_nothing(pair: tuple[str, str]) -> None:
    found = relate(corpus((pair[0], "x"), (pair[1], "y")))
    assert not any((edge.evidence or "").startswith("version") for edge in found.graph)


def test_the_same_corpus_gives_the_same_edges() -> None:
    documents = corpus(*((f"{n % 7}/{n}.txt", PROSE[n:] + f" see {n - 1}.txt") for n in range(60)))
    assert relate(documents) == relate(documents)


@pytest.mark.parametrize(
    "piece", ["](", "「", "を参照", "別紙", 'href="', "see ", ".txt", "   ", "http://", "年", "第一"]
)
def test_a_text_of_nothing_but_beginnings_of_a_reference_refers_to_nothing(piece: str) -> None:
    """And is done at once: every pattern is bounded, or 20,000 characters of its beginnings would take minutes."""
    text = piece * (20_000 // len(piece))
    found = relate(corpus(("a.txt", text), ("b.txt", "x")))
    assert {edge.type for edge in found.graph} == {RelationType.SIBLING}
