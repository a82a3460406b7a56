"""What a person wants to see of a stage: numbers, small tables and samples, JSON-ready, for metadata and summaries.

Facts describe one document's output as it was made; the assets layer turns them into Dagster metadata. Bounded in size,
since every byte stays in the event log for ever. Holds no clock reading.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from indx_core.app.ingest.task import DocumentTask
from indx_core.app.review.applied import persons_answers
from indx_core.contracts.base import canonical_json
from indx_core.contracts.observation import Observation
from indx_core.contracts.page import PageStatus
from indx_core.contracts.plan import RoutePlan
from indx_core.contracts.trace import EventStatus
from indx_core.execution.annotate import DOCUMENT, Annotations
from indx_core.execution.chunk import Cut
from indx_core.execution.embed import SpaceVectors
from indx_core.execution.ladder import Reads
from indx_core.execution.trace import known_cost
from indx_core.kit.excerpt import excerpt

SAMPLE = 5
"""Rows of a sample: enough to see what came out, too few to weigh."""
EXCERPT = 120
"""Characters of a sampled text."""


def observation_facts(task: DocumentTask, observation: Observation) -> dict[str, Any]:
    """Identity, size and signals of a document."""
    signals = Counter(signal for page in observation.pages for signal in page.signals)
    return {
        "uri": task.uri,
        "source_digest": observation.source_digest,
        "media_type": observation.media_type,
        "bytes": observation.byte_count,
        "pages": len(observation.pages),
        "signals": dict(sorted(signals.items())),
        "findings": [finding.model_dump(exclude_none=True) for finding in observation.findings[:SAMPLE]],
        "properties": dict(sorted(observation.properties.items())),
    }


def plan_facts(plan: RoutePlan) -> dict[str, Any]:
    """The plan whole, and its headline: status, route, price."""
    return {
        "plan": canonical_json(plan),
        "plan_id": plan.plan_id,
        "status": plan.status.value,
        "route": list(plan.document.capability_ids),
        "overrides": [{"scope": route.scope, "route": list(route.capability_ids)} for route in plan.pages[:SAMPLE]],
        "override_count": len(plan.pages),
        "estimated_cost_usd": plan.estimates.cost_usd,
        "estimated_latency_ms": plan.estimates.latency_ms,
        "estimated_quality": plan.estimates.quality,
        "unsatisfied": list(plan.unsatisfied),
        "reasons": [reason.model_dump() for reason in plan.reasons[:SAMPLE]],
        "signatures": [match.signature for match in plan.signatures],
    }


def page_facts(observation: Observation, reads: Reads) -> dict[str, Any]:
    """Every page accounted for, who read how many, what fell back and what it cost."""
    outputs = [read.output for read in reads.pages]
    statuses = Counter(output.status.value for output in outputs)
    readers = Counter(read.descriptor.id for read in reads.pages if read.descriptor)
    refused = [event for event in reads.events if event.status is EventStatus.FAILED]
    costs = [event.cost_usd for event in reads.events]
    unread = [output for output in outputs if output.status is not PageStatus.COMPLETED]
    return {
        "pages_observed": len(observation.pages),
        "pages": {status.value: statuses.get(status.value, 0) for status in PageStatus},
        "readers": dict(sorted(readers.items())),
        "fallbacks": [
            {"scope": e.scope, "capability": e.actual_capability_id, "reason": e.reason} for e in refused[:SAMPLE]
        ],
        "fallback_count": len(refused),
        "cost_usd": known_cost(costs),
        "cost_known": all(cost is not None for cost in costs),
        "pages_waiting": len(unread),
        "pages_reviewed": len(persons_answers(reads.pages)),
        "unread": [{"page": o.number, "status": o.status.value, "reason": o.reason} for o in unread[:SAMPLE]],
        "characters": sum(len(output.text) for output in outputs),
    }


def chunk_facts(result: Cut) -> dict[str, Any]:
    """How many, how many with a box, why the others have none, who cut them, and a sample."""
    pieces = [chunk.piece for chunk in result.chunks]
    return {
        "chunks": len(pieces),
        "boxed": sum(piece.box is not None for piece in pieces),
        "without_box": dict(sorted(Counter(p.reason.value for p in pieces if p.reason).items())),
        "images": sum(piece.image is not None for piece in pieces),
        "chunkers": dict(sorted(Counter(chunk.chunker for chunk in result.chunks).items())),
        "findings": [finding.model_dump(exclude_none=True) for finding in result.findings[:SAMPLE]],
        "sample": [
            {
                "page": chunk.page,
                "box": [round(edge, 3) for edge in chunk.piece.box] if chunk.piece.box else str(chunk.piece.reason),
                "text": _shown(chunk.piece.text),
            }
            for chunk in result.chunks[:SAMPLE]
        ],
    }


def _shown(text: str) -> str:
    head = excerpt(text, EXCERPT)
    return head if len(head) == len(text) else f"{head} …"


def vector_facts(answers: Sequence[SpaceVectors], chunks: int) -> dict[str, Any]:
    """Per space: vectors, dimension, the range of their norms, and what they cost."""
    import numpy as np

    spaces = {}
    for answer in answers:
        norms = np.linalg.norm(answer.vectors, axis=1)
        spaces[answer.space.id] = {
            "vectors": len(answer.positions),
            "dimension": answer.space.dimension,
            "normalization": answer.space.normalization,
            "norm_min": round(float(norms.min()), 4) if len(norms) else None,
            "norm_max": round(float(norms.max()), 4) if len(norms) else None,
            "cost_usd": answer.cost_usd,
        }
    findings = [finding.model_dump(exclude_none=True) for answer in answers for finding in answer.findings]
    return {"chunks": chunks, "spaces": spaces, "findings": findings[:SAMPLE]}


def annotation_facts(found: Annotations) -> dict[str, Any]:
    """Languages and labels of the document, and how much of the rest was found."""
    return {
        "languages": [score.model_dump() for score in found.languages.get(DOCUMENT, ("", ()))[1]],
        "declared_language": found.declared_language,
        "labels": {
            facet: [label.model_dump() for label in labels[:SAMPLE]]
            for facet, (_who, labels) in found.labels.get(DOCUMENT, {}).items()
        },
        "entities": sum(len(spans) for labels in found.entities.values() for _who, spans in labels.values()),
        "summaries": len(found.summaries),
        "tags": sum(len(tags) for _who, tags in found.tags.values()),
        "findings": [finding.model_dump(exclude_none=True) for finding in found.findings[:SAMPLE]],
        "cost_usd": found.cost_usd,
    }
