"""Every real and every hostile Office file: read or a typed refusal, never a crash, no page lost."""

from pathlib import Path

import pytest

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import PageStatus
from indx_core.formats.office.chunker import SlideChunker
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.ports.document import OpenDocument

pytestmark = [pytest.mark.corpus, pytest.mark.slow]


def outcome(path: Path) -> str:
    data = path.read_bytes()
    with OpenDocument(data, OfficeObserver().sniff(data) or "application/octet-stream", path.name) as document:
        try:
            observed = OfficeObserver().observe(document)
            numbers = [page.number for page in observed.pages]
            pages = list(OfficeReader().read(document, numbers))
        except IndxError as error:
            return str(error.code)
        assert [page.number for page in pages] == numbers
        assert all(page.reason for page in pages if page.status is not PageStatus.COMPLETED)
        for page in pages:
            assert all(page.text[line.start : line.end].strip() for line in page.lines)
        if path.suffix == ".pptx":
            SlideChunker().chunk(document, pages)
        return "read"


@pytest.mark.parametrize("folder", ["office/docx", "office/xlsx", "office/pptx"])
def test_every_real_file_that_needs_no_password_is_read(shared_corpus: Path, folder: str) -> None:
    features = dict(
        line.split("\t")
        for line in (shared_corpus / "office" / "FEATURES.tsv").read_text().splitlines()
        if "\t" in line
    )
    for path in sorted((shared_corpus / folder).iterdir()):
        needs_password = "ole_or_encrypted" in features.get(f"{folder}/{path.name}", "")
        refused = needs_password or path.name == "poi__54764.xlsx"  # an entity bomb that its project keeps among these
        assert outcome(path) == ("source_unreadable" if refused else "read"), path.name


def test_every_hostile_file_is_read_or_refused_by_type(shared_corpus: Path) -> None:
    outcomes = {path.name: outcome(path) for path in sorted((shared_corpus / "hostile" / "office").iterdir())}
    assert set(outcomes.values()) <= {"read", "source_unreadable", "source_encrypted"}
    for name in (
        "zipbomb_document_200MiB.docx",
        "zipbomb_sheet_300MiB.xlsx",
        "external_entity_file.docx",
        "zip_path_traversal.docx",
    ):
        assert outcomes[f"made__{name}"] == "source_unreadable"
