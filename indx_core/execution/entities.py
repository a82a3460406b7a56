"""Entity spans as metadata: by the block each was found in, and counted per (label, NFKC-normalised surface).

A count is not an identity: nothing here resolves coreference, so 「山田太郎」 and 「山田」 stay two entries, while
full-width and half-width forms of one name are one entry that keeps its raw forms.
"""

import unicodedata
from collections.abc import Iterable
from typing import Any

from indx_core.contracts.annotation import EntitySpan
from indx_core.execution.annotate import Annotations


def entity_counts(spans: Iterable[EntitySpan]) -> dict[str, list[dict[str, Any]]]:
    """``label -> [{surface, count, forms}]``: most frequent first, then by surface; ``surface`` is NFKC."""
    forms: dict[tuple[str, str], dict[str, int]] = {}
    for span in spans:
        seen = forms.setdefault((span.label, unicodedata.normalize("NFKC", span.surface)), {})
        seen[span.surface] = seen.get(span.surface, 0) + 1
    counts: dict[str, list[dict[str, Any]]] = {}
    for (label, surface), seen in sorted(forms.items(), key=lambda item: (-sum(item[1].values()), item[0])):
        counts.setdefault(label, []).append({"surface": surface, "count": sum(seen.values()), "forms": sorted(seen)})
    return dict(sorted(counts.items()))


def counted_spans(annotations: Annotations) -> list[EntitySpan]:
    """Spans of one unit only: pages where pages were asked, else chunks; a chunk's text stands on its page too."""
    by_block = annotations.entities.items()
    found = {block: [span for _who, spans in labels.values() for span in spans] for block, labels in by_block}
    pages = any(spans and "/chunk:" not in block for block, spans in found.items())
    return [span for block, spans in found.items() if ("/chunk:" not in block) == pages for span in spans]


def entity_metadata(annotations: Annotations) -> dict[str, Any]:
    """The document block's ``entities``: empty when no extractor found anything."""
    by_block: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for block, labels in annotations.entities.items():
        found = {label: [_wire(span) for span in spans] for label, (_who, spans) in sorted(labels.items())}
        if found:
            by_block[block] = found
    if not by_block:
        return {}
    return {"by_block": by_block, "counts": entity_counts(counted_spans(annotations))}


def _wire(span: EntitySpan) -> dict[str, Any]:
    found: dict[str, Any] = {
        "text": span.surface,
        "start": span.start,
        "end": span.end,
        "confidence": span.confidence,
    }
    if span.normalized is not None:
        found["normalized"] = span.normalized
    return found
