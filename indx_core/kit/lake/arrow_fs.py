"""A lake's store as a PyArrow file system, for reading datasets (and DuckDB over them) out of a bucket.

Read-only. PyArrow's own S3 and GCS clients would need their own credentials and settings; this one asks the store that
the lake already has. Objects are fetched whole: they are small, and a request costs more than their bytes.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import pyarrow as pa  # noqa: TID253 - this module is imported inside functions only
import pyarrow.fs as pafs  # noqa: TID253 - as above

from indx_core.kit.lake.stores import Store


class StoreFileSystem(pafs.FileSystemHandler):  # type: ignore[misc]  # pyarrow ships no types
    """Answers what a dataset of known paths asks: what a path is, and its bytes."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StoreFileSystem) and other._store is self._store

    def __hash__(self) -> int:
        return id(self._store)

    def get_type_name(self) -> str:
        return "indx-lake"

    def normalize_path(self, path: str) -> str:
        return path

    def get_file_info(self, paths: Sequence[str]) -> list[Any]:
        return [pafs.FileInfo(path, pafs.FileType.File) for path in paths]

    def get_file_info_selector(self, selector: Any) -> list[Any]:
        found = self._store.list(selector.base_dir)
        return [pafs.FileInfo(item.name, pafs.FileType.File, size=item.size) for item in found]

    def open_input_file(self, path: str) -> Any:
        data = self._store.get(path)
        if data is None:
            raise FileNotFoundError(path)
        return pa.BufferReader(pa.py_buffer(data))

    def open_input_stream(self, path: str) -> Any:
        return self.open_input_file(path)

    def create_dir(self, path: str, recursive: bool) -> NoReturn:
        _refuse(path, recursive)

    def delete_dir(self, path: str) -> NoReturn:
        _refuse(path)

    def delete_dir_contents(self, path: str, missing_dir_ok: bool = False) -> NoReturn:
        _refuse(path, missing_dir_ok)

    def delete_root_dir_contents(self) -> NoReturn:
        _refuse()

    def delete_file(self, path: str) -> NoReturn:
        _refuse(path)

    def move(self, src: str, dest: str) -> NoReturn:
        _refuse(src, dest)

    def copy_file(self, src: str, dest: str) -> NoReturn:
        _refuse(src, dest)

    def open_output_stream(self, path: str, metadata: Any) -> NoReturn:
        _refuse(path, metadata)

    def open_append_stream(self, path: str, metadata: Any) -> NoReturn:
        _refuse(path, metadata)


def _refuse(*_arguments: object) -> NoReturn:
    raise PermissionError("the lake is written through Lake, which replaces objects whole")
