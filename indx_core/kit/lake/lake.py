"""The lake: tables by name and partition, over any store.

One object per table and partition. At source grain a partition is a document and is written whole; at shard grain a
partition holds many documents and ``replace_documents`` merges some of them in. What the tables are is declared in
``contracts/tables.py``; what the bytes look like, in ``encode.py``.
"""

import io
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from indx_core.contracts.errors import LakeUnavailable
from indx_core.contracts.tables import table_of
from indx_core.kit.lake import names
from indx_core.kit.lake.settings import LakeSettings
from indx_core.kit.lake.stores import LocalStore, Store, StoredObject, open_store

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as pds


_LOOKS: Final = 5
"""Attempts at reading a table whose objects others remove: one in twenty missed where nothing else was done."""


class Lake:
    """Tables in a folder or a bucket. Cheap to construct; safe to share between threads.

    Two processes may write different partitions at the same time; a partition has one writer at a time, which is
    what Dagster's concurrency on partitions arranges.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known = False
        self._recorded = False

    @classmethod
    def open(cls, settings: LakeSettings | None = None) -> Self:
        """The lake of the given settings, by default those in force.

        Raises:
            SettingsInvalid: ``INDX_LAKE`` is not an address.
        """
        return cls(open_store(settings or LakeSettings.load()))

    def write(self, table: str, partition: str, data: bytes | None) -> None:
        """Commit a partition whole: bytes of ``encode_table``, or ``None`` for a partition without rows.

        Raises:
            LakeTooNew: A newer release wrote to this lake.
        """
        table_of(table)
        self._require_known(writing=True)
        name = names.object_name(table, partition)
        if data is None:
            self.store.delete(name)
        else:
            self.store.put(name, data)

    def delete(self, table: str, partition: str) -> None:
        """Remove a partition; nothing happens when there is none."""
        self.write(table, partition, None)

    def read(self, table: str, partition: str) -> "pa.Table | None":
        """A partition in the declared schema; ``None`` when nothing was written.

        Raises:
            LakeObjectInvalid: The object is not that table.
            LakeTooNew: A newer release wrote to this lake.
        """
        from indx_core.kit.lake.encode import decode_table

        self._require_known()
        data = self.store.get(names.object_name(table, partition))
        return None if data is None else decode_table(table, data)

    def read_document(self, table: str, partition: str, key: str) -> "pa.Table | None":
        """One document's rows of a partition, reading only the row groups that may hold them.

        Returns:
            The rows, perhaps none; ``None`` when the partition was never written.
        """
        import pyarrow.compute as pc

        from indx_core.kit.lake.encode import conform, open_parquet, stored_schema

        self._require_known()
        data = self.store.get(names.object_name(table, partition))
        if data is None:
            return None
        file = open_parquet(table, data)
        at = file.schema_arrow.get_field_index("key")
        bounds = [file.metadata.row_group(index).column(at).statistics for index in range(file.num_row_groups)]
        groups = [index for index, bound in enumerate(bounds) if bound is None or bound.min <= key <= bound.max]
        rows = conform(file.read_row_groups(groups, use_threads=False), stored_schema(table, file))
        return rows.filter(pc.equal(rows.column("key"), key))

    def replace_documents(self, table: str, partition: str, rows: "pa.Table | None", keys: Collection[str]) -> int:
        """Replace some documents of a shard, atomically; the others keep their rows.

        Args:
            table: The table.
            partition: The shard.
            rows: New rows of those documents in the declared schema; ``None`` when they have none.
            keys: The documents replaced. One without new rows disappears.

        Returns:
            Rows the shard now has. A shard left without rows is removed.
        """
        from indx_core.kit.lake.encode import open_parquet
        from indx_core.kit.lake.merge import merge_documents

        self._require_known(writing=True)
        name = names.object_name(table, partition)
        data = self.store.get(name)
        old = None if data is None else open_parquet(table, data)
        merged = io.BytesIO()
        count = merge_documents(table, old, rows, keys, merged)
        self.write(table, partition, merged.getvalue() if count else None)
        return count

    def objects(self, table: str) -> Iterator[StoredObject]:
        """The objects of a table, in the order of their names; of ``vectors``, those of every space."""
        self._require_known()
        for item in self.store.list(names.table_prefix(table)):
            if item.name.endswith(names.SUFFIX):
                yield item

    def partitions(self, table: str) -> list[str]:
        """Partitions that were written, sorted."""
        found = (names.partition_of(table, item.name) for item in self.objects(table))
        return sorted(partition for partition in found if partition is not None)

    def dataset(self, table: str) -> "pds.Dataset":
        """The whole table as a PyArrow dataset of the declared schema; of ``vectors``, every space together."""
        import pyarrow.dataset as pds
        import pyarrow.fs as pafs

        from indx_core.kit.lake.arrow_fs import StoreFileSystem

        if isinstance(self.store, LocalStore):
            filesystem = pafs.SubTreeFileSystem(str(self.store.root), pafs.LocalFileSystem())
        else:
            filesystem = pafs.PyFileSystem(StoreFileSystem(self.store))
        paths = [item.name for item in self.objects(table)]
        schema = table_of(table).schema
        return pds.FileSystemDataset.from_paths(
            paths, schema=schema, format=pds.ParquetFileFormat(), filesystem=filesystem
        )

    def select(self, table: str, columns: Sequence[str], where: Any = None) -> "pa.Table":
        """Columns of a whole table. An object that somebody removes meanwhile is not missed: the table is read again.

        Args:
            table: The table.
            columns: Names of its columns.
            where: A filter as PyArrow has them, ``pyarrow.dataset.field("key") == "c/a.txt"``.

        Raises:
            LakeUnavailable: The store does not answer, or objects are removed faster than they can be read.
        """
        for _ in range(_LOOKS):
            try:
                return self.dataset(table).to_table(columns=list(columns), filter=where)
            except FileNotFoundError:
                continue
        raise LakeUnavailable(f"objects of {table} were removed while they were read", remedy="run it again")

    def _require_known(self, *, writing: bool = False) -> None:
        """Look once at what schema the lake says it has, before anything of it is read; say it before writing.

        One request a lake. A release that is installed while others still run is met by those at their next start.
        """
        if self._recorded or (self._known and not writing):
            return
        from indx_core.kit.lake import evolve

        recorded = evolve.recorded_versions(self.store)
        evolve.require_known(recorded)
        if writing:
            evolve.record_versions(self.store, recorded)
        self._known, self._recorded = True, writing
