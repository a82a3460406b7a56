"""The layers of pyproject.toml hold. `make layers` says the same with the whole chain of imports."""

import subprocess
import sys

from architecture.repository import ROOT


def test_no_package_imports_what_stands_above_it() -> None:
    code = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
