"""Counting a corpus's manifest out of the lake and its space. Holds no price and no rate of its own."""

from collections import Counter

from indx_core.contracts import tables as t
from indx_core.contracts.corpus import CorpusManifest, PageProblem, RefusedDocument
from indx_core.kit.lake import Lake
from indx_core.knowledge.space.corpus_rows import Row, listed_roots, refused_documents, rows
from indx_core.knowledge.space.space import KnowledgeSpace

_READ = "completed"


def corpus_manifest(lake: Lake, corpus: str, space: KnowledgeSpace) -> CorpusManifest:
    """What became of a corpus whose space was just built from the same lake."""
    paths = {document.metadata["key"]: document.path for document in space.documents_}
    refusals = refused_documents(lake, corpus)
    listed = listed_roots(lake, corpus)
    charged = rows(lake, t.USAGE.name, corpus, ["key", "cost_usd", "cost_known", "cpu_ms", "pages"])
    usage = [row for row in charged if row["key"] in paths]
    measured = [row for row in usage if row["cpu_ms"]]
    cpu_seconds = sum(row["cpu_ms"] for row in measured) / 1000
    plans = rows(lake, t.PLANS.name, corpus, ["key", "estimated_cost_usd"])
    planned = sum(row["estimated_cost_usd"] for row in plans if row["key"] in paths)
    actual = sum(row["cost_usd"] for row in usage)
    return CorpusManifest(
        corpus=corpus,
        root=space.root,
        listed=len(listed),
        documents=len(paths),
        outstanding=len(listed.keys() - paths.keys() - {row["key"] for row in refusals}),
        refused=dict(sorted(Counter(row["code"] for row in refusals).items())),
        refusals=tuple(map(_refused, refusals)),
        pages=_pages(space),
        problems=_problems(lake, corpus, paths),
        bytes_source=space.stats.bytes_source,
        chunks=len(space.chunks),
        vectors={name: len(vectors.rows) for name, vectors in space.vectors.items()},
        cpu_seconds=round(cpu_seconds, 3),
        documents_per_cpu_hour=round(len(measured) / cpu_seconds * 3600, 1) if cpu_seconds else None,
        pages_per_cpu_second=round(sum(row["pages"] for row in measured) / cpu_seconds, 2) if cpu_seconds else None,
        planned_cost_usd=round(planned, 6),
        actual_cost_usd=round(actual, 6),
        actual_cost_known=all(row["cost_known"] is not False for row in usage),
        planned_cost_per_1000_usd=_per_thousand(planned, len(paths)),
        actual_cost_per_1000_usd=_per_thousand(actual, len(usage)),
    )


def _refused(row: Row) -> RefusedDocument:
    fields = ("path", "stage", "code", "message", "remedy")
    return RefusedDocument(**{name: row[name] for name in fields})


def _pages(space: KnowledgeSpace) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for document in space.documents_:
        counted.update(document.metadata.get("pages", {}))
    return dict(sorted(counted.items()))


def _problems(lake: Lake, corpus: str, paths: dict[str, str]) -> tuple[PageProblem, ...]:
    grouped: dict[tuple[str, str, str], list[int]] = {}
    for row in rows(lake, t.PAGES.name, corpus, ["key", "page", "status", "reason"]):
        if row["key"] in paths and row["status"] != _READ:
            grouped.setdefault((paths[row["key"]], row["status"], row["reason"] or ""), []).append(row["page"])
    return tuple(
        PageProblem(path=path, status=status, reason=reason, pages=tuple(sorted(pages)))
        for (path, status, reason), pages in sorted(grouped.items())
    )


def _per_thousand(cost: float, documents: int) -> float | None:
    return round(cost / documents * 1000, 6) if documents else None
