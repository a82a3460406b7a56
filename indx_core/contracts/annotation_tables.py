"""The tables of what annotators say: languages, labels, entities, summaries, tags.

The other tables, and what holds for all of them, are in ``tables``.
"""

from indx_core.contracts.columns import KEY, PAGE, SHARE, Column, Table

_BLOCK = Column("block_id", "string", "Block annotated: document, page:2 or page:2/chunk:9.", repeats=True)
_UNIT = Column("unit", "string", "Scope annotated: document, page or chunk.", repeats=True)
_CONFIDENCE = Column("confidence", "float64", "The annotator's own confidence.", SHARE)

LANGUAGES = Table(
    "languages",
    "A language found in a block, with how sure the detector is.",
    (
        KEY,
        _BLOCK,
        Column("page", "int32", "Page of the block; null for the document.", "1-based", optional=True),
        Column("language", "string", "Language.", "ISO 639-1", repeats=True),
        _CONFIDENCE,
        Column("detector", "string", "Detector that answered.", repeats=True),
    ),
)
LABELS = Table(
    "labels",
    "A classifier's label for a block.",
    (
        KEY,
        _BLOCK,
        _UNIT,
        Column("facet", "string", "Question the label answers, such as document_type.", repeats=True),
        Column("label", "string", "The label.", repeats=True),
        _CONFIDENCE,
        Column("rank", "int32", "0 for the facet's best label.", "0-based"),
        Column("classifier", "string", "Id of the classifier that won the facet.", repeats=True),
    ),
)
ENTITIES = Table(
    "entities",
    "A name found in a block's text.",
    (
        KEY,
        _BLOCK,
        PAGE,
        Column("label", "string", "What it names: person, organization, date, …", repeats=True),
        Column("surface", "string", "The characters as they stand."),
        Column("start", "int32", "First character in the block's text.", "characters, 0-based"),
        Column("end", "int32", "One past the last character.", "characters"),
        _CONFIDENCE,
        Column("normalized", "string", "Canonical value beside the printed form.", optional=True),
        Column("extractor", "string", "Id of the extractor that won the label.", repeats=True),
    ),
)
ENTITY_COUNTS = Table(
    "entity_counts",
    "How often a document names something. A count is not an identity: nothing resolves who is meant.",
    (
        KEY,
        Column("label", "string", "What it names: person, organization, date, …", repeats=True),
        Column("surface", "string", "The name, NFKC-normalised: full-width and half-width forms are one."),
        Column("count", "int32", "Times it was found, over pages where pages were asked, else over chunks.", "count"),
        Column("forms", "list<string>", "The forms it was written in."),
    ),
)
SUMMARIES = Table(
    "summaries",
    "A block's summary in the text's own language.",
    (
        KEY,
        _BLOCK,
        _UNIT,
        Column("summary", "string", "The summary.", long=True),
        Column("enricher", "string", "Id of the enricher that wrote it.", repeats=True),
    ),
)
TAGS = Table(
    "tags",
    "A tag an enricher coined for a block.",
    (
        KEY,
        _BLOCK,
        _UNIT,
        Column("label", "string", "The tag."),
        _CONFIDENCE,
        Column("enricher", "string", "Id of the enricher that coined it.", repeats=True),
    ),
)
