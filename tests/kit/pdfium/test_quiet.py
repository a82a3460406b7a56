"""What reaches a worker's standard error is read by operators: PDFs put nothing there, not even at exit."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("thirty_documents.py")
ROOT = SCRIPT.parents[3]


def test_thirty_documents_leave_standard_error_empty():
    """A page handle wrapped in pypdfium2's ``PdfPage`` by hand left a KeyError for each page, and one at exit."""
    code = f"import sys, runpy; sys.path[:0] = ['.', 'tests']; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stderr, ran.stdout, ran.returncode) == ("", "done\n", 0)
