"""Real and hostile files: no crash, no hang, no page lost, no text that cannot be written down."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from indx_core.contracts.errors import IndxError
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import PageStatus
from indx_core.formats.pdf.chunker import PdfChunker
from indx_core.formats.pdf.observer import MEDIA_TYPE, PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.ports.document import OpenDocument

UNWANTED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def check(path: Path) -> str:
    """Take a file through all three ports and hold what comes out to the contract; returns what became of it."""
    with OpenDocument(path.read_bytes(), MEDIA_TYPE) as document:
        try:
            observed = PdfObserver().observe(document)
        except IndxError as refusal:
            return type(refusal).__name__
        outputs = list(NativeExtraction().read(document, [page.number for page in observed.pages]))
        assert [output.number for output in outputs] == list(range(1, len(observed.pages) + 1))
        for page, output in zip(observed.pages, outputs, strict=True):
            readable = page.text_layer is TextLayer.PRESENT
            assert output.status is (PageStatus.COMPLETED if readable else PageStatus.FAILED)
            assert UNWANTED.search(output.text) is None
            assert "\n".join(output.text[line.start : line.end] for line in output.lines) == output.text
            for line in output.lines:
                assert (line.box is None) != (line.reason is None)
                if line.box is not None:
                    x0, y0, x1, y1 = line.box
                    assert 0 <= x0 < x1 <= 1
                    assert 0 <= y0 < y1 <= 1
        PdfChunker().chunk(document, [output for output in outputs if output.status is PageStatus.COMPLETED])
        return "observed"


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("folder", ["pdf", "hostile/pdf"])
def test_every_file_is_observed_or_refused_by_type(folder: str, shared_corpus: Path):
    """In a child process, so that a crash inside PDFium shows as one and does not end the test run."""
    files = sorted((shared_corpus / folder).glob("*.pdf"))
    assert files
    child = subprocess.run(  # noqa: PLW1510 - the return code is what is asserted
        [sys.executable, "-m", "formats.pdf.test_real_files", *map(str, files)],
        cwd=Path(__file__).resolve().parents[3],
        env={"PYTHONPATH": ".:tests", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert child.returncode == 0, child.stdout[-500:] + child.stderr[-2000:]
    outcomes = child.stdout.split()
    assert len(outcomes) == len(files)
    assert set(outcomes) <= {"observed", "SourceEncrypted", "SourceUnreadable"}
    assert outcomes.count("observed") > 0.9 * len(files)


@pytest.mark.corpus
def test_a_vertical_japanese_page_reads_in_its_order(shared_corpus: Path):
    """PDFium's own order starts with the last column."""
    with OpenDocument((shared_corpus / "pdf" / "made_ja_vertical_cid.pdf").read_bytes(), MEDIA_TYPE) as document:
        text = next(NativeExtraction().read(document, [1])).text
    truth = (shared_corpus / "quality" / "text" / "made_ja_vertical_cid.pdf.txt").read_text(encoding="utf-8")
    found, wanted = ("".join(part.split()) for part in (text, truth))
    assert found[:200] == wanted[:200]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(check(Path(name)), flush=True)
