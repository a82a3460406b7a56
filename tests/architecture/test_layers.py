"""The layers of pyproject.toml hold. `make layers` says the same with the whole chain of imports."""

import subprocess
import sys

from architecture.repository import ROOT


def test_no_package_imports_what_stands_above_it() -> None:
    # Without its cache, which keeps an import of a module that was missing as one of the package above it.
    code = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
