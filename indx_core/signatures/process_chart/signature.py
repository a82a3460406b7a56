"""process-chart: recognises the slides of a deck that are drawn as process charts, each by itself."""

from typing import TYPE_CHECKING

from indx_core.contracts.observation import Observation
from indx_core.contracts.plan import SignatureMatch
from indx_core.ports.document import OpenDocument
from indx_core.signatures.process_chart.identity import CAPABILITY_ID, DISTRIBUTION, MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.signatures.process_chart.chart import ProcessChart

_SIGNALS = 3


class ProcessChartSignature:
    """Matches a slide whose symbols are joined by two or more connectors across two or more kinds of symbols.

    Evidence is ``connected_symbols`` and ``symbol_family``, without which there is no match, and ``labelled_symbols``,
    which only raises the confidence: it counts by the share of symbols that carry a label.
    """

    name = "process-chart"
    distribution = DISTRIBUTION
    media_types: tuple[str, ...] = MEDIA_TYPES
    capability_id = CAPABILITY_ID

    def detect(self, document: OpenDocument, observation: Observation) -> list[SignatureMatch]:
        from indx_core.signatures.process_chart.reading import read_chart

        found = []
        for page in observation.pages:
            reading = read_chart(document, page.number)
            if reading is not None:
                found.append(self._match(page.number, _labelled_share(reading.chart)))
        return found

    def _match(self, number: int, labelled: float) -> SignatureMatch:
        labels = ("labelled_symbols",) if labelled else ()
        return SignatureMatch(
            signature=self.name,
            scope=f"page:{number}",
            evidence=("connected_symbols", "symbol_family", *labels),
            nominated_capability_id=self.capability_id,
            confidence=(2 + labelled) / _SIGNALS,
        )


def _labelled_share(chart: "ProcessChart") -> float:
    return sum(symbol.label is not None for symbol in chart.symbols) / len(chart.symbols)
