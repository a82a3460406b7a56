"""Mail of a folder: read, refused, crashed, seconds, peak memory, and bodies beside the standard library's.

Usage: ``python benchmarks/bench_mail.py [CORPUS] [--expected FOLDER]``, CORPUS being a folder with ``mail/`` and
``hostile/mail/`` (default: the shared corpus of real files). FOLDER holds ``*.eml`` beside the ``*.json`` parse that
stalwartlabs/mail-parser keeps of its test messages (``resources/eml`` of that project).

Scores over FOLDER, white space folded: ``first`` = the first body text equals the expected first body text; ``found`` =
every expected body text occurs in the page; ``subject`` = the subject line is equal. The standard library's column is
``policy.default`` with ``get_body(("plain", "html"))``.
"""

import email
import email.policy
import json
import sys
from pathlib import Path
from typing import Any

from isolated import Outcome, run, table

from indx_core.formats.email import CONTRIBUTION
from indx_core.formats.email.body import content_of
from indx_core.formats.email.message import parse
from indx_core.formats.email.visible import visible_text
from indx_core.ports.document import OpenDocument

DEFAULT_CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"


def indx(data: bytes) -> list[str]:
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    with OpenDocument(data, "message/rfc822") as document:
        return [page.text for page in reader.read(document, [page.number for page in observer.observe(document).pages])]


def standard(data: bytes) -> list[str]:
    message = email.message_from_bytes(data, policy=email.policy.default)
    body = message.get_body(("plain", "html"))
    return [str(message["subject"]), str(body.get_content()) if body is not None else ""]


def folded(text: str) -> str:
    return " ".join(text.split())


def expected(path: Path) -> tuple[str, list[str]]:
    """Subject and body texts of a recorded parse; HTML bodies as the lines indx makes of them."""
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    bodies = []
    for index in record["text_body"]:
        ((kind, value),) = record["parts"][index]["body"].items()
        if isinstance(value, str):
            bodies.append(visible_text(value) if kind == "Html" else value)
    fields = [field for field in record["parts"][0]["headers"] if field["name"] == "subject"]
    subject = fields[0]["value"] if fields else {}
    return (subject.get("Text", "") if isinstance(subject, dict) else ""), bodies


def score(folder: Path) -> None:
    counts = dict.fromkeys(("first", "found", "subject", "first (standard library)", "errors (standard library)"), 0)
    cases = sorted(path for path in folder.rglob("*.eml") if path.with_suffix(".json").exists())
    for path in cases:
        data, (subject, bodies) = path.read_bytes(), expected(path.with_suffix(".json"))
        first = folded(bodies[0]) if bodies else ""
        findings: list[tuple[str, str]] = []
        message = parse(data, findings)
        texts = [text for text in content_of(message, findings).texts if text]
        page = folded(indx(data)[0])
        counts["first"] += folded(texts[0] if texts else "") == first
        counts["found"] += all(folded(body) in page for body in bodies)
        counts["subject"] += folded(message.headers.text("subject", findings)) == folded(subject)
        try:
            counts["first (standard library)"] += folded(standard(data)[1]) == first
        except Exception:  # noqa: BLE001 - its untyped errors are what is counted
            counts["errors (standard library)"] += 1
    print(f"expected parses: {len(cases)}")
    for name, count in counts.items():
        print(f"  {name}: {count}")


def main(arguments: list[str]) -> None:
    folder = None
    if "--expected" in arguments:
        at = arguments.index("--expected")
        folder = Path(arguments[at + 1])
        del arguments[at : at + 2]
    corpus = Path(arguments[0]) if arguments else DEFAULT_CORPUS
    for part in ("mail", "hostile/mail"):
        paths = sorted(path for path in (corpus / part).iterdir() if path.suffix != ".tsv")
        for name, read in (("indx", indx), ("standard library", standard)):
            outcomes: list[Outcome] = run(paths, read, lambda: None)
            print(table(f"{part} {name}", outcomes))
    if folder is not None:
        score(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
