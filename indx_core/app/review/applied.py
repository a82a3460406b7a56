"""Answers as they stand in page reads: which pages a person read, and which answers no read has taken up yet."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from indx_core.app.ingest.recipe import PersonsAnswer
from indx_core.contracts import tables as t
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.page import PageStatus
from indx_core.execution.ladder import PageRead
from indx_core.formats.any.answers import answered_pages, stored_answers
from indx_core.formats.any.manual import REVIEWER, ManualReviewReader
from indx_core.kit.lake import Lake

if TYPE_CHECKING:
    import pyarrow as pa

MANUAL = ManualReviewReader.descriptor.id


def persons_answers(reads: Sequence[PageRead]) -> list[PersonsAnswer]:
    """Pages that a person read, as ``(page, text, reviewer)``."""
    return [
        (read.output.number, read.output.text, str(read.output.metadata.get(REVIEWER, "")))
        for read in reads
        if read.descriptor is not None
        and read.descriptor.kind is CapabilityKind.MANUAL
        and read.output.status is PageStatus.COMPLETED
    ]


def recorded_answers(pages: "pa.Table | None") -> list[PersonsAnswer]:
    """The same out of rows of ``pages``, with the document first: ``(key, page, text, reviewer)``."""
    return [
        (row["key"], row["page"], row["text"], json.loads(row["metadata"] or "{}").get(REVIEWER, ""))
        for row in _manual_rows(pages)
        if row["status"] == PageStatus.COMPLETED.value
    ]


def unapplied(lake: Lake, digests: Mapping[str, str], partition_of: Callable[[str], str]) -> set[str]:
    """Documents with an answer that their page reads do not hold: reading them again would change them.

    One listing where nobody ever answered; page rows are opened only for documents whose bytes have answers.

    Args:
        lake: Holds answers and page reads.
        digests: ``sha256:<hex>`` of the observed bytes by source key.
        partition_of: The lake partition of a key.
    """
    answered = answered_pages(lake)
    return {
        key
        for key, digest in digests.items()
        if digest in answered and _differs(lake, digest, lake.read_document(t.PAGES.name, partition_of(key), key))
    }


def _differs(lake: Lake, digest: str, pages: "pa.Table | None") -> bool:
    """Only pages that went to manual review can take an answer up; one that a reader reads by now needs none."""
    rows = _manual_rows(pages)
    answers = stored_answers(lake, digest, [row["page"] for row in rows])
    wanted = [(row["key"], page, a.text, a.reviewer) for row in rows if (a := answers.get(page := row["page"]))]
    return wanted != recorded_answers(pages)


def _manual_rows(pages: "pa.Table | None") -> list[dict[str, Any]]:
    import pyarrow.compute as pc

    if pages is None:
        return []
    columns = ["key", "page", "status", "text", "metadata"]
    rows: list[dict[str, Any]] = (
        pages.filter(pc.equal(pages.column("capability_id"), MANUAL)).select(columns).to_pylist()
    )
    return rows
