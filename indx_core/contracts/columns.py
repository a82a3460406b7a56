"""What a table is made of: columns with meaning and unit, their Arrow schema, and the columns that many tables share.

Plain data, so that naming a table costs no import of Arrow; ``Table.schema`` builds the Arrow schema on first use.
Which tables there are is said in ``tables``.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table, or one field of a struct inside it.

    Attributes:
        type: ``string``, ``binary``, ``bool``, ``int32``, ``int64``, ``float32``, ``float64``, ``vector`` (float32 of a
            length the table's data fixes), or ``list<…>`` of one of the first seven, or ``list<struct>`` of ``fields``.
        description: One sentence.
        unit: Unit, or origin and scale; ``None`` where there is none.
        optional: Whether it may be null.
        repeats: Few distinct values per document: worth a dictionary in Parquet.
        long: Long values (texts, JSON, pictures, vectors): worth the stronger compression in Parquet.
        fields: What a ``list<struct>`` is made of.
    """

    name: str
    type: str
    description: str
    unit: str | None = None
    optional: bool = False
    repeats: bool = False
    long: bool = False
    fields: tuple["Column", ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: its columns in order, and what a row of it is.

    Attributes:
        description: What one row is.
        version: Goes up by one whenever a column is added.
        clocked: Whether it holds measured times, and so differs between two runs of the same plan.
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    version: int = 1
    clocked: bool = False

    @cached_property
    def schema(self) -> "pa.Schema":
        """The Arrow schema. Vectors are of variable length here; ``vectors_schema`` fixes theirs."""
        import pyarrow as pa

        metadata = {"table": self.name, "description": self.description, "schema_version": str(self.version)}
        return pa.schema([_arrow_field(column) for column in self.columns], metadata=metadata)


def _arrow_field(column: Column) -> "pa.Field":
    import pyarrow as pa

    metadata = {"description": column.description}
    if column.unit:
        metadata["unit"] = column.unit
    return pa.field(column.name, _arrow_type(column), nullable=column.optional, metadata=metadata)


def _arrow_type(column: Column) -> "pa.DataType":
    import pyarrow as pa

    if column.type == "list<struct>":
        return pa.list_(element(pa.struct([_arrow_field(part) for part in column.fields])))
    if column.type == "vector":
        return pa.list_(element(pa.float32()))
    if column.type.startswith("list<"):
        return pa.list_(element(pa.type_for_alias(column.type[5:-1])))
    return pa.type_for_alias(column.type)


def element(value_type: "pa.DataType") -> "pa.Field":
    """A list's element under the name Parquet gives it, so that a schema survives being written and read."""
    import pyarrow as pa

    return pa.field("element", value_type, nullable=False)


_ACROSS = "fraction of the page's width, 0-1, from the left edge of the page as displayed"
_DOWN = "fraction of the page's height, 0-1, from the top edge of the page as displayed"
SHARE = "0-1"
EPOCH = "ms since 1970, UTC"

KEY = Column("key", "string", "Source key, <corpus>/<path below its root>: which document.", repeats=True)
PAGE = Column("page", "int32", "Page of the document.", "1-based")
BOX = (
    Column("x0", "float32", "Left edge of its box.", _ACROSS, optional=True),
    Column("y0", "float32", "Top edge of its box.", _DOWN, optional=True),
    Column("x1", "float32", "Right edge of its box.", _ACROSS, optional=True),
    Column("y1", "float32", "Bottom edge of its box.", _DOWN, optional=True),
)
