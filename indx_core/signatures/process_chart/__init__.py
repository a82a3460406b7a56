"""Process charts (工程系統図) drawn with PowerPoint's own shapes: recognised, read as a graph, written as diagrams.

A slide whose symbols (△ material, ○ operation, ◇ inspection, two nested △ assembly) are joined by connectors says more
than its words. ``chart`` is that graph as it goes on the wire, ``reading`` takes it from a slide, ``drawio`` and
``mermaid`` write it for people. Does not read text: that is the format's own reader.
"""

from indx_core.kit.registry import Contribution
from indx_core.signatures.process_chart.parser import ProcessChartParser
from indx_core.signatures.process_chart.signature import ProcessChartSignature

CONTRIBUTION = Contribution(readers=(ProcessChartParser(),), signatures=(ProcessChartSignature(),))
