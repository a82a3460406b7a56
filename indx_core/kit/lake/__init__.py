"""The lake: where every table of indx is kept, as Parquet objects in a folder or a bucket.

Belongs here: how objects are named, encoded, merged and stored. Does not: what the tables are
(``contracts/tables.py``), what fills them (``execution``, ``assets``), and questions over them (``knowledge``).
"""

from indx_core.kit.lake.encode import decode_table, encode_table, rows_table, vector_rows
from indx_core.kit.lake.lake import Lake
from indx_core.kit.lake.names import object_name, partition_of
from indx_core.kit.lake.settings import LakeSettings

__all__ = [
    "Lake",
    "LakeSettings",
    "decode_table",
    "encode_table",
    "object_name",
    "partition_of",
    "rows_table",
    "vector_rows",
]
