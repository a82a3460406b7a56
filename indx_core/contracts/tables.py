"""The schema of every table indx writes: each column declared once, with what it means and in which unit.

Does not hold what a column and a table are (``columns``) or how tables are encoded, named or stored (``kit/lake``) or
queried (``knowledge/sql``). The tables of annotations are in a module of their own, and counted here.

Evolution: columns are only ever added, as optional ones, and then ``version`` goes up by one. A reader fills a column
that an older object lacks with nulls and ignores one that it does not know.

Every table but ``trace`` and ``usage`` is a pure function of source, settings and plan: no clock reading, host name or
run id stands in it, so a replay writes the same bytes. Rows stand in the order of their documents: by page, then
position.
"""

from functools import cache
from typing import TYPE_CHECKING

from indx_core.contracts.annotation_tables import ENTITIES, ENTITY_COUNTS, LABELS, LANGUAGES, SUMMARIES, TAGS
from indx_core.contracts.columns import BOX, EPOCH, KEY, PAGE, SHARE, Column, Table, element

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = [
    "ASSET_TABLES",
    "CHUNKS",
    "CORPUS_TABLES",
    "ENTITIES",
    "ENTITY_COUNTS",
    "LABELS",
    "LANGUAGES",
    "LISTING",
    "PAGES",
    "PLANS",
    "REFUSALS",
    "REVIEWS",
    "REVIEW_TABLES",
    "RUN_TABLES",
    "SOURCES",
    "SUMMARIES",
    "TABLES",
    "TAGS",
    "TOMBSTONES",
    "TRACE",
    "USAGE",
    "VECTORS",
    "Column",
    "Table",
    "table_of",
    "vectors_schema",
    "vectors_table",
]

_FINDING = (
    Column("code", "string", "Stable machine name."),
    Column("message", "string", "One sentence for a person."),
)
_LINE = (
    Column("start", "int32", "First character of the line in the page's text.", "characters, 0-based"),
    Column("end", "int32", "One past the last character.", "characters"),
    *BOX,
    Column("reason", "string", "Why the line has no box; null when it has one.", optional=True),
    Column("confidence", "float32", "The engine's own score of the line.", SHARE, optional=True),
)
_LINK = (
    Column("target", "string", "Address or path as the source writes it."),
    Column("text", "string", "The words that are marked; empty where a picture is."),
    *BOX,
)

LISTING = Table(
    "listing",
    "An object of a corpus as it was last listed. A listing is complete: one that broke off is never written.",
    (
        KEY,
        Column("corpus", "string", "Corpus the object belongs to.", repeats=True),
        Column("root", "string", "Root that was listed.", repeats=True),
        Column("path", "string", "Path below the root, / between segments."),
        Column("uri", "string", "Address a loader resolves."),
        Column("byte_count", "int64", "Length of the object.", "bytes"),
        Column("source_version", "string", "The store's own version: ETag, or size and time."),
        Column("modified", "float64", "When the store says it last changed.", "seconds since 1970, UTC"),
    ),
)
TOMBSTONES = Table(
    "tombstones",
    "A document that a complete listing of its corpus no longer held. One object per corpus, like its listing.",
    (
        KEY,
        Column("corpus", "string", "Corpus the document belonged to.", repeats=True),
        Column("path", "string", "Path below the corpus's root, / between segments."),
        Column("uri", "string", "Address it had."),
        Column("source_digest", "string", "sha256:<hex> of its bytes; null when it was never observed.", optional=True),
        Column("byte_count", "int64", "Length of the document.", "bytes", optional=True),
        Column("source_version", "string", "The store's own version of it.", optional=True),
        Column("serving", "bool", "Whether its rows still stand, until what may replace it has been read."),
        Column("gone_since_ms", "int64", "When a listing first missed it.", EPOCH),
    ),
    clocked=True,
)
SOURCES = Table(
    "sources",
    "A document as it was observed.",
    (
        KEY,
        Column("corpus", "string", "Corpus the document belongs to.", repeats=True),
        Column("path", "string", "Path below the corpus's root, / between segments."),
        Column("uri", "string", "Address a loader resolves."),
        Column("filename", "string", "Last segment of the path.", optional=True),
        Column("media_type", "string", "Media type as sniffed, or as declared where nothing recognised the bytes."),
        Column("source_digest", "string", "sha256:<hex> of the bytes."),
        Column("byte_count", "int64", "Length of the document.", "bytes"),
        Column("source_version", "string", "The store's own version: ETag, or size and time.", optional=True),
        Column("page_count", "int32", "Pages observed.", "pages"),
        Column("title", "string", "Title the format declares, verbatim.", optional=True),
        Column("language", "string", "Language the format declares, verbatim.", optional=True),
        Column("observation", "string", "The whole observation, pages and signals.", "canonical JSON", long=True),
        Column("findings", "int32", "Coded remarks of tolerant parsing in the observation.", "count"),
        Column("observer", "string", "Distribution that looked.", repeats=True),
        Column("sniffer", "string", "Distribution that recognised the bytes.", optional=True, repeats=True),
        Column("loader", "string", "Distribution that fetched the bytes.", optional=True, repeats=True),
    ),
)
PLANS = Table(
    "plans",
    "A document's plan: which capability reads which page, and at what price.",
    (
        KEY,
        Column("plan_id", "string", "Hash of the decision."),
        Column("snapshot_id", "string", "Capability snapshot it was decided against.", repeats=True),
        Column("policy_version", "string", "Version of the routing policy.", repeats=True),
        Column("status", "string", "ready or unsatisfied.", repeats=True),
        Column("document_route", "list<string>", "Capabilities of the default route, in the order they are tried."),
        Column("override_count", "int32", "Pages whose route differs from the default.", "pages"),
        Column("estimated_cost_usd", "float64", "Expected cost of the whole document.", "USD"),
        Column("estimated_latency_ms", "int64", "Expected time, pages one after the other.", "ms"),
        Column("estimated_quality", "float64", "Expected quality, mean over pages.", SHARE),
        Column("unsatisfied", "list<string>", "Constraints that no route meets."),
        Column("plan", "string", "The whole plan.", "canonical JSON", long=True),
    ),
)
PAGES = Table(
    "pages",
    "A page as it was read. Every observed page has one row, read or not.",
    (
        KEY,
        Column("plan_id", "string", "Plan it was read under.", repeats=True),
        PAGE,
        Column("label", "string", "What the format calls the page: a sheet's or a layout's name.", optional=True),
        Column("hidden", "bool", "Whether the format hides the page."),
        Column("status", "string", "completed, failed or unreadable.", repeats=True),
        Column("reason", "string", "Why it was not read, or a remark on how.", optional=True),
        Column("text", "string", "The page's text, empty where there is none.", long=True),
        Column("capability_id", "string", "Capability that read it.", optional=True, repeats=True),
        Column("device", "string", "Where it was computed: cpu, gpu or external.", optional=True, repeats=True),
        Column("fallback_index", "int32", "0 when the first choice of the route read it.", "rungs", optional=True),
        Column("confidence", "float64", "The reader's own claim.", SHARE, optional=True),
        Column("lines", "list<struct>", "Text lines in reading order, with their boxes.", fields=_LINE),
        Column("tables", "string", "Grids found on the page.", "canonical JSON", optional=True, long=True),
        Column(
            "metadata", "string", "Fields a specialised reader extracted.", "canonical JSON", optional=True, long=True
        ),
        Column("findings", "list<struct>", "Coded remarks of the reader.", fields=_FINDING),
        Column("links", "list<struct>", "Hyperlinks out of the document.", optional=True, fields=_LINK),
    ),
    version=2,
)
CHUNKS = Table(
    "chunks",
    "A retrievable passage with its place on the page, or the reason it has none.",
    (
        KEY,
        Column("chunk_id", "string", "Block id inside the document, such as page:2/chunk:9."),
        PAGE,
        Column("position", "int32", "Place in the document's order.", "0-based"),
        Column("text", "string", "The passage; empty for an image.", long=True),
        *BOX,
        Column("bbox_reason", "string", "Why it has no box; null when it has one.", optional=True, repeats=True),
        Column("modality", "string", "What an embedder is given of it: text or image.", repeats=True),
        Column("image", "binary", "The picture of an image chunk.", "PNG", optional=True, long=True),
        Column("chunker", "string", "Distribution that cut it.", repeats=True),
        Column("capability_id", "string", "Capability that read its page.", optional=True, repeats=True),
    ),
)
VECTORS = Table(
    "vectors",
    "A chunk's vector in one embedding space; one stored table per space.",
    (
        KEY,
        Column("chunk_id", "string", "Chunk embedded, inside the document."),
        PAGE,
        Column("embedding_space_id", "string", "Space: only vectors of one space may be compared.", repeats=True),
        Column("embedder_id", "string", "Embedder that made it.", repeats=True),
        Column("vector", "vector", "The vector, as long as the space's dimension.", long=True),
    ),
)
TRACE = Table(
    "trace",
    "An attempt: one capability asked for one scope, whether it answered or not.",
    (
        KEY,
        Column("event", "int32", "Place in the order of attempts.", "0-based"),
        Column("scope", "string", "document, or page:N.", repeats=True),
        Column("pages", "list<int32>", "Pages the attempt covers.", "1-based"),
        Column("planned_capability_id", "string", "First choice of the route.", repeats=True),
        Column("actual_capability_id", "string", "Capability that ran.", repeats=True),
        Column("device", "string", "Where it computed: cpu, gpu or external.", repeats=True),
        Column("status", "string", "completed, failed or unreadable.", repeats=True),
        Column("fallback_index", "int32", "0 for the first choice.", "rungs"),
        Column("latency_ms", "int64", "Measured time of the attempt.", "ms, wall clock"),
        Column("cost_usd", "float64", "What it charged; null when unknown.", "USD", optional=True),
        Column("quality", "float64", "The capability's own claim, mean over its pages.", SHARE, optional=True),
        Column("reason", "string", "What stopped it.", optional=True),
        Column("validation_check", "string", "Check that refused its output.", optional=True, repeats=True),
        Column("validation_value", "float64", "What the check measured.", "the check's own", optional=True),
        Column("validation_floor", "float64", "What it was held against.", "the check's own", optional=True),
    ),
    clocked=True,
)
USAGE = Table(
    "usage",
    "What processing a document used.",
    (
        KEY,
        Column("bytes", "int64", "Length of the document.", "bytes"),
        Column("pages", "int32", "Pages observed.", "pages"),
        Column("cost_usd", "float64", "What readers, embedders and annotators charged, as far as known.", "USD"),
        Column("latency_ms", "int64", "Measured time.", "ms, wall clock"),
        Column("quality", "float64", "Mean of the readers' own claims.", SHARE, optional=True),
        Column("cpu_ms", "int64", "Processor time of the worker.", "ms", optional=True),
        Column(
            "cost_known",
            "bool",
            "Whether cost_usd is all: false where a vendor's price is unknown; null in rows older than the column.",
            optional=True,
        ),
    ),
    version=2,
    clocked=True,
)
REFUSALS = Table(
    "refusals",
    "A document that was not processed, and why.",
    (
        KEY,
        Column("corpus", "string", "Corpus the document belongs to.", repeats=True),
        Column("path", "string", "Path below the corpus's root, / between segments."),
        Column("uri", "string", "Address a loader resolves."),
        Column("stage", "string", "Pipeline stage that refused it.", repeats=True),
        Column("type", "string", "Family of the error.", repeats=True),
        Column("code", "string", "Machine-readable reason.", optional=True, repeats=True),
        Column("message", "string", "What happened."),
        Column("remedy", "string", "What to do about it."),
        Column("cause", "string", "permanent, transient or deployment.", repeats=True),
        Column("source_version", "string", "The store's version that was refused.", optional=True),
        Column("basis", "string", "Settings and engines it was refused under: others may read it.", optional=True),
        Column("http_status", "int32", "Status the HTTP transport answers this error with.", "HTTP status"),
        Column("attempts", "int32", "Runs that failed over this version and basis in a row.", "runs", optional=True),
        Column("since_ms", "int64", "When the document first failed without passing since.", EPOCH, optional=True),
        Column("retry_at_ms", "int64", "When it is tried again by itself; null: never.", EPOCH, optional=True),
    ),
    version=2,
    clocked=True,
)
REVIEWS = Table(
    "reviews",
    "What a person read on a page that no automatic reader could: an input of page reads, one object per page.",
    (
        Column("key", "string", "Document it was answered for; any document of the same bytes has the answer, too."),
        Column("source_digest", "string", "sha256:<hex> of the bytes the person looked at: no other bytes use it."),
        PAGE,
        Column("text", "string", "The page's text as the person wrote it; empty for a blank page.", long=True),
        Column("reviewer", "string", "Who answered."),
    ),
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        LISTING,
        TOMBSTONES,
        SOURCES,
        PLANS,
        PAGES,
        CHUNKS,
        VECTORS,
        TRACE,
        USAGE,
        REFUSALS,
        LANGUAGES,
        LABELS,
        ENTITIES,
        ENTITY_COUNTS,
        SUMMARIES,
        TAGS,
        REVIEWS,
    )
}
"""Every table, in the order a document passes through them."""

ASSET_TABLES: dict[str, tuple[Table, ...]] = {
    "observation": (SOURCES,),
    "plan": (PLANS,),
    "page_reads": (PAGES, TRACE, USAGE),
    "chunks": (CHUNKS,),
    "embeddings": (VECTORS,),
    "annotations": (LANGUAGES, LABELS, ENTITIES, ENTITY_COUNTS, SUMMARIES, TAGS),
}
"""Which asset owns which tables. A materialization of the asset replaces exactly these."""

RUN_TABLES: tuple[Table, ...] = (REFUSALS,)
"""Tables that any stage of a run may write, and clears again when the document passes."""

CORPUS_TABLES: tuple[Table, ...] = (LISTING, TOMBSTONES)
"""Tables of a corpus as a whole, written by its discovery."""

REVIEW_TABLES: tuple[Table, ...] = (REVIEWS,)
"""Tables that people write. When an answer was given stands with the events of its replay, not in the row."""


@cache
def vectors_schema(dimension: int) -> "pa.Schema":
    """Schema of one embedding space's vectors: ``vector`` is a fixed-size list of ``dimension`` float32."""
    import pyarrow as pa

    variable = VECTORS.schema
    index = variable.get_field_index("vector")
    fixed = variable.field(index).with_type(pa.list_(element(pa.float32()), dimension))
    return variable.set(index, fixed).with_metadata({**variable.metadata, b"dimension": str(dimension).encode()})


def vectors_table(space_id: str) -> str:
    """Name the vectors of a space are stored under: ``vectors/<space>``. One table each, for dimensions differ."""
    return f"{VECTORS.name}/{space_id}"


def table_of(name: str) -> Table:
    """The declaration behind a stored table's name, such as ``chunks`` or ``vectors/default-text``.

    Raises:
        KeyError: No such table is declared.
    """
    return TABLES[name.partition("/")[0]]
