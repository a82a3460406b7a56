"""Names the languages of pages with lingua: the detector ``lingua``, behind the ``lang`` extra.

Only names stand here; the statistics are loaded on the first text of a worker process. Without the extra the list of
detectors is empty, since an installation that detects nothing writes no ``languages`` at all.
"""

import importlib.util

from indx_core.engines.language_lingua.detector import LinguaDetector
from indx_core.kit.registry import Contribution


def _detectors() -> list[LinguaDetector]:
    return [LinguaDetector()] if importlib.util.find_spec("lingua") else []


CONTRIBUTION = Contribution(language_detectors=_detectors)
