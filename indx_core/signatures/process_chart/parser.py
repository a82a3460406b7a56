"""process-chart-parser: the text that the format's own reader gives, and the graph of the chart beside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.ports.document import OpenDocument
from indx_core.signatures.process_chart.identity import CAPABILITY_ID, DISTRIBUTION, MEDIA_TYPES

if TYPE_CHECKING:
    from indx_core.signatures.process_chart.reading import ChartReading


class ProcessChartParser:
    """Reads slides that are process charts; any other comes back failed, and the ladder behind it reads it."""

    descriptor = CapabilityDescriptor(
        id=CAPABILITY_ID, kind=CapabilityKind.PARSER, media_types=MEDIA_TYPES, distribution=DISTRIBUTION
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        from indx_core.signatures.process_chart.chart import METADATA_KEY
        from indx_core.signatures.process_chart.reading import read_chart

        for number in pages:
            native = document.native_page(number)
            reading = read_chart(document, number)
            if native is None:
                yield PageOutput(number, PageStatus.FAILED, reason="no reader of the slide's text is installed")
            elif native.status is not PageStatus.COMPLETED:
                yield native
            elif reading is None:
                yield PageOutput(number, PageStatus.FAILED, reason="the slide is not drawn as a process chart")
            else:
                yield replace(
                    native,
                    metadata={**native.metadata, METADATA_KEY: reading.chart.to_metadata()},
                    findings=(*native.findings, *_findings(reading)),
                )


def _findings(reading: "ChartReading") -> Iterator[tuple[str, str]]:
    if count := reading.labels_by_position:
        total = len(reading.chart.symbols)
        yield (
            "labels_by_position",
            f"{count} of {total} symbols are labelled by the text nearest to them, which is a guess",
        )
    if count := reading.loose_connectors:
        yield "loose_connectors", f"{count} connector(s) are not attached to two symbols and are no edges"
