"""The tables of the database file: each column declared once, with what it means; comments in the file come from here.

Holds no data.
"""

from indx_core.contracts.tables import Column, Table

_ID = Column("id", "string", "Id in the space: doc_0007 or chunk_0481.")
_DOC = Column("doc_id", "string", "Document.", repeats=True)
_TOPICS = Column("topics", "list<string>", "Topics an annotator gave.")
_TAGS = Column("tags", "list<string>", "Tags an annotator coined.")
_SUMMARY = Column("summary", "string", "Its summary; null where none was made.", optional=True)
_METADATA = Column("metadata", "string", "Everything else that is known of it.", "canonical JSON")
_BOX = "fraction of the page as displayed, 0-1, origin top left"
_EDGES = (
    Column("x0", "float64", "Left edge of its box.", _BOX, optional=True),
    Column("y0", "float64", "Top edge of its box.", _BOX, optional=True),
    Column("x1", "float64", "Right edge of its box.", _BOX, optional=True),
    Column("y1", "float64", "Bottom edge of its box.", _BOX, optional=True),
)

DOCUMENTS = Table(
    "documents",
    "A source file of the corpus.",
    (
        _ID,
        Column("path", "string", "Path below the root."),
        Column("folder", "string", "Folder below the root; empty for the root."),
        Column("type", "string", "The document_type label, else the media type's short name."),
        Column("title", "string", "Title the format declares.", optional=True),
        Column("language", "string", "Main language.", "ISO 639-1", optional=True),
        Column("date", "string", "Day the document declares for itself.", "YYYY-MM-DD", optional=True),
        Column("byte_count", "int64", "Length.", "bytes", optional=True),
        Column("page_count", "int32", "Pages observed.", "pages", optional=True),
        Column("chunk_count", "int32", "Chunks cut.", "chunks"),
        _SUMMARY,
        _TOPICS,
        _TAGS,
        _METADATA,
    ),
)
CHUNKS = Table(
    "chunks",
    "A retrievable passage.",
    (
        _ID,
        _DOC,
        Column("position", "int32", "Place in the document.", "0-based"),
        Column("page", "int32", "Page it stands on.", "1-based", optional=True),
        Column("text", "string", "The passage; empty for an image."),
        *_EDGES,
        Column("box_reason", "string", "Why it has no box; null when it has one.", optional=True),
        Column("prev_id", "string", "Chunk before it.", optional=True),
        Column("next_id", "string", "Chunk after it.", optional=True),
        _SUMMARY,
        _TOPICS,
        _TAGS,
        _METADATA,
    ),
)
RELATIONS = Table(
    "relations",
    "A typed, directed edge between documents, folders and chunks.",
    (
        Column("src", "string", "Source: the id of a document or chunk, or a folder."),
        Column("dst", "string", "Target: an id, a folder, or a document's path where a chunk refers to it."),
        Column("type", "string", "sibling, parent, references, continues or duplicate-of."),
        Column("score", "float64", "How sure or how similar.", "0-1", optional=True),
        Column("evidence", "string", "What it was concluded from.", optional=True),
    ),
)
LINKS = Table(
    "links",
    "A hyperlink that a document holds beside its text; one that leads to another document is a relation, too.",
    (
        _DOC,
        Column("page", "int32", "Page it stands on.", "1-based", optional=True),
        Column("target", "string", "Address or path as the source writes it."),
        Column("text", "string", "The words that are marked; empty where a picture is."),
        *_EDGES,
    ),
)
ENTITIES = Table(
    "entities",
    "A name that stands in a chunk, as printed or in its canonical form.",
    (
        Column("chunk_id", "string", "Chunk it stands in."),
        _DOC,
        Column("label", "string", "What it names: person, organization, date, …"),
        Column("name", "string", "The name."),
    ),
)
LABELS = Table(
    "labels",
    "The label a classifier gave a document or a chunk.",
    (
        _ID,
        Column("facet", "string", "Question the label answers."),
        Column("label", "string", "The label."),
    ),
)
VECTORS = Table(
    "vectors",
    "A chunk's vector in one embedding space. Only vectors of one space may be compared.",
    (
        Column("chunk_id", "string", "Chunk embedded."),
        Column("embedding_space_id", "string", "Embedding space."),
        Column("vector", "vector", "The vector."),
    ),
)
SPACES = Table(
    "embedding_spaces",
    "An embedding space and what a query has to be encoded with.",
    (
        Column("embedding_space_id", "string", "Embedding space."),
        Column("dimension", "int32", "Length of its vectors."),
        Column("vectors", "int64", "Vectors stored.", "count"),
        Column("encoder", "string", "Public description of what encodes queries.", "canonical JSON"),
    ),
)
ERRORS = Table(
    "errors",
    "A file that could not be processed.",
    (
        Column("path", "string", "Path below the root."),
        Column("stage", "string", "Stage that refused it."),
        Column("code", "string", "Machine-readable reason."),
        Column("message", "string", "What happened and what to do about it."),
    ),
)

TABLES: tuple[Table, ...] = (DOCUMENTS, CHUNKS, RELATIONS, LINKS, ENTITIES, LABELS, VECTORS, SPACES, ERRORS)
