"""What commands print for a person, where that says less than their JSON."""

from pathlib import Path

from indx_core.app.cli.commands import capabilities, diff, encode
from indx_core.app.facade import capabilities as snapshot
from indx_core.app.facade import encode as encoded
from indx_core.knowledge.space.difference import ChunkChange, Difference


def test_encode_counts_the_chunks_that_it_does_not_list(tmp_path: Path) -> None:
    """A list that merely ends passes for all there is."""
    note = tmp_path / "note.txt"
    note.write_text("\f".join(f"page {number}" for number in range(1, 26)))
    lines = encode.readable(encoded(str(note))).splitlines()
    assert [line for line in lines if "more" in line] == [
        "  and 5 more: --json has them all",
        "  and 15 more: --json has them all",
    ]
    note.write_text("one page")
    assert "more" not in encode.readable(encoded(str(note)))


def test_capabilities_names_media_types_briefly() -> None:
    """In full, those of Office files take a dozen lines of a terminal, for three rows of a table."""
    shown = capabilities.readable(snapshot())
    row = next(line for line in shown.splitlines() if line.lstrip().startswith("office-extraction"))
    assert "docx, docm" in row
    assert "wordprocessingml" not in shown


def test_diff_counts_the_chunks_of_a_document_that_came_and_lists_those_of_one_that_changed() -> None:
    found = Difference(
        added=("new.pdf",),
        changed=("old.pdf",),
        chunks=(
            ChunkChange(change="added", path="new.pdf", after="chunk_0001"),
            ChunkChange(change="added", path="new.pdf", after="chunk_0002"),
            ChunkChange(change="changed", path="old.pdf", before="chunk_0001", after="chunk_0003"),
        ),
    )
    assert diff.readable(found).splitlines() == [
        "+ new.pdf  2 chunks",
        "~ old.pdf",
        "  ~ old.pdf  chunk_0001 → chunk_0003",
    ]
