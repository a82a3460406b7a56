"""Writes the generated pages of ``docs/``, or checks that they are what the code says.

Run from the root: ``.venv/bin/python scripts/generated_docs.py [--check]``.
"""

import argparse
import sys
from pathlib import Path

import api_pages
import cli_page
import configuration_page
import openapi_page

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = {
    **api_pages.pages(),
    "cli.md": cli_page.page,
    "configuration.md": configuration_page.page,
    "openapi.json": openapi_page.page,
}


def stale() -> list[str]:
    """Names of the pages that are not what the code says."""
    return [name for name, page in PAGES.items() if not _says(DOCS / name, page())]


def _says(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main() -> None:
    """Write the pages, or exit with 1 when one is out of date."""
    parser = argparse.ArgumentParser(description="Write the generated pages of docs/.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a page is out of date")
    if parser.parse_args().check:
        if names := stale():
            sys.exit(f"out of date: {', '.join(names)}. Run `make docs` and commit what it writes")
        return
    for name, page in PAGES.items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
