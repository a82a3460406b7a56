"""How one annotator is asked about many texts: in batches, within a deadline and a budget, and what a failure costs.

Does not know what is asked or who wins: answers go back by block (``annotate.py``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.contracts.observation import Finding
from indx_core.contracts.plan import Component
from indx_core.execution.budget import Purse
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.classifier import Classified
from indx_core.ports.enricher import Enriched
from indx_core.ports.extractor import Extracted

if TYPE_CHECKING:
    from indx_core.execution.annotate import Annotations

FREE_BATCH = 64
"""Texts per call of an annotator without a model. One with a model mostly takes seconds a text and is asked one by one,
unless it says otherwise; and so is one whose price is held against a budget."""

Answer = TypeVar("Answer", Classified, Extracted, Enriched)


class Asking:
    """How annotators are asked: in batches, so that work shows signs of life and a deadline is noticed.

    One text that a model answered badly costs that text, with a finding, and what was charged for it. Only an annotator
    that answers none at all fails the document. What money cannot buy any more is left out with a finding, too.
    """

    def __init__(self, registry: Registry, deadline: Deadline, result: "Annotations", purse: Purse) -> None:
        self.registry, self.result = registry, result
        self._deadline, self._purse = deadline, purse

    def answers(
        self,
        descriptor: AnnotatorDescriptor,
        ask: Callable[[Sequence[str]], list[Answer]],
        texts: Mapping[str, str],
        blocks: Sequence[str],
    ) -> Iterator[tuple[str, Answer]]:
        """Answers by block, in order; blocks without one have a finding."""
        size = self._batch(descriptor)
        failure: CapabilityUnavailable | None = None
        answered = False
        for start in range(0, len(blocks), size):
            batch = blocks[start : start + size]
            characters = sum(len(texts[block]) for block in batch)
            self._deadline.check()
            if (reason := self._purse.refusal(descriptor.id, descriptor.device, characters)) is not None:
                self._leave_out("budget_spent", descriptor.id, blocks[start:], reason)
                return
            try:
                found = ask([texts[block] for block in batch])
            except CapabilityUnavailable as error:
                failure = error
                self._charge(descriptor, characters, error.details.get("cost_usd", 0.0))
                self._leave_out("not_annotated", descriptor.id, batch, error.message)
                continue
            answered = True
            for block, answer in zip(batch, found, strict=True):
                self._charge(descriptor, len(texts[block]), answer.cost_usd)
                yield block, answer
        if failure is not None and not answered:
            raise failure

    def _batch(self, descriptor: AnnotatorDescriptor) -> int:
        """Texts per call."""
        if self._purse.limits(descriptor.id, descriptor.device):
            return 1
        return descriptor.batch or (FREE_BATCH if descriptor.model is None else 1)

    def credit(self, role: str, descriptor: AnnotatorDescriptor, won: set[str]) -> None:
        """Say who answered what."""
        self.result.components.append(
            Component(role=role, distribution=descriptor.distribution, id=descriptor.id, facets=tuple(sorted(won)))
        )

    def _charge(self, descriptor: AnnotatorDescriptor, characters: int, cost_usd: float | None) -> None:
        self.result.charge(cost_usd)
        self._purse.charge(descriptor.id, characters, cost_usd)

    def _leave_out(self, code: str, annotator_id: str, blocks: Sequence[str], reason: str) -> None:
        where = blocks[0] if len(blocks) == 1 else f"{len(blocks)} blocks from {blocks[0]}"
        self.result.findings.append(Finding(code=code, message=f"{annotator_id} left out {where}: {reason}"))
