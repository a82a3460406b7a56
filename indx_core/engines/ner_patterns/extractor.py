"""The extractor ``patterns``: every pattern over a text, and one find where several overlap."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from indx_core.contracts.annotation import EntitySpan
from indx_core.contracts.capability import AnnotatorDescriptor
from indx_core.engines.ner_patterns.labels import LABELS
from indx_core.engines.ner_patterns.settings import NerPatternsSettings
from indx_core.kit.models.files import fingerprint
from indx_core.ports.extractor import Extracted

if TYPE_CHECKING:
    from indx_core.engines.ner_patterns.gazetteer import Gazetteer


class PatternsExtractor:
    """Reads the whole text: its time grows with the length and with nothing else."""

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        listed = NerPatternsSettings.load().gazetteer
        return AnnotatorDescriptor(
            id="patterns",
            port="extractor",
            units=("page", "chunk"),
            provides=() if listed else LABELS,
            distribution="indx-ner-patterns",
            # Outputs depend on what the list holds, not on where it is: an edited list makes them stale.
            model=f"gazetteer@{fingerprint(Path(listed))}" if listed and Path(listed).is_file() else None,
        )

    def extract(self, texts: Sequence[str]) -> list[Extracted]:
        from indx_core.engines.ner_patterns.gazetteer import configured

        gazetteer = configured()
        return [Extracted(tuple(_spans(text, gazetteer))) for text in texts]


def _spans(text: str, gazetteer: "Gazetteer | None") -> list[EntitySpan]:
    from indx_core.engines.ner_patterns import contacts, dates, identifiers, money
    from indx_core.engines.ner_patterns.matches import fold, without_overlaps

    folded = fold(text)
    found = [] if gazetteer is None else list(gazetteer.find(text))
    for finder in (identifiers.find, dates.find, money.find, contacts.find):
        found.extend(finder(folded))
    return [
        EntitySpan(
            label=match.label,
            surface=text[match.start : match.end],
            start=match.start,
            end=match.end,
            confidence=match.confidence,
            normalized=match.normalized,
        )
        for match in without_overlaps(found)
    ]
