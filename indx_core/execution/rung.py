"""One capability asked for some pages: what came back, what the budget left out, and what broke it off.

Belongs here: the call of a reader and everything that can go wrong in it. Does not: whether an output is good enough
and where its page goes next (``ladder.py``).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import CapabilityUnavailable, IndxError, RequestTimeout
from indx_core.contracts.page import PageOutput
from indx_core.execution.budget import Account
from indx_core.kit.encodable import encodable
from indx_core.ports.document import OpenDocument
from indx_core.ports.reader import Reader


class Rung:
    """One capability asked for some pages.

    Attributes:
        outputs: What came back, by page, with the seconds it took.
        skipped: Pages that were not attempted since the budget does not reach, by page, with the reason.
        failure: What broke the attempt off, if anything did.
    """

    def __init__(self, capability_id: str, account: Account, on_attempt: Callable[[str, int], None]) -> None:
        self.outputs: dict[int, tuple[PageOutput, float]] = {}
        self.skipped: dict[int, str] = {}
        self.failure: IndxError | None = None
        self._id = capability_id
        self._account = account
        self._on_attempt = on_attempt

    def ask(self, document: OpenDocument, reader: Reader, pages: Sequence[int]) -> None:
        """Fill ``outputs`` as pages arrive; stop where the next one no longer fits the budget."""
        limited = reader.descriptor.kind is not CapabilityKind.MANUAL
        admitted = self._admitted(pages) if limited else list(pages)
        if not admitted:
            return
        waiting = dict.fromkeys(admitted)
        started = time.perf_counter()
        try:
            self._on_attempt(self._id, admitted[0])
            for output in map(_writable, reader.read(document, admitted)):
                now = time.perf_counter()
                self._account.charge(self._id, output.cost_usd)
                if output.number in waiting:
                    self.outputs[output.number] = (output, now - started)
                    del waiting[output.number]
                started = now
                if not waiting:
                    continue
                stop = self._account.refusal(self._id) if limited else None
                if stop is not None:
                    self.skipped.update(dict.fromkeys(waiting, stop))
                    return
                self._on_attempt(self._id, next(iter(waiting)))
        except RequestTimeout:
            raise
        except IndxError as error:
            self.failure = error
        except Exception as error:  # noqa: BLE001 - a reader's defect costs its pages, never the document
            self.failure = CapabilityUnavailable(f"{self._id} broke off: {type(error).__name__}")

    def _admitted(self, pages: Sequence[int]) -> list[int]:
        """The first pages whose expected price fits what is left; the others are skipped."""
        admitted: list[int] = []
        for page in pages:
            reason = self._account.refusal(self._id, ahead=len(admitted))
            if reason is None:
                admitted.append(page)
            else:
                self.skipped[page] = reason
        return admitted


def _writable(output: PageOutput) -> PageOutput:
    """The output as it can be written: half a surrogate pair or a NaN would fail the document in every encoder.

    A confidence that is no number is none, and a cost that is none is unknown.
    """
    text = encodable(output.text)
    confidence, cost = (
        value if value is None or isfinite(value) else None for value in (output.confidence, output.cost_usd)
    )
    if text == output.text and confidence == output.confidence and cost == output.cost_usd:
        return output
    return replace(output, text=text, confidence=confidence, cost_usd=cost)
