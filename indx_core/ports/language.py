"""Language detector: names the languages of a text. Asked with text, not bytes, which is why it is no observer."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from indx_core.contracts.annotation import LanguageScore


@runtime_checkable
class LanguageDetector(Protocol):
    """Scores the languages of texts.

    Attributes:
        id: Name of the detector.
        distribution: Component name, such as ``indx-language-lingua``.
        languages: What it may answer under the settings in force, ISO 639-1, sorted. Loads no model.
    """

    id: str
    distribution: str

    @property
    def languages(self) -> tuple[str, ...]:
        """See the class."""
        ...

    def detect(self, texts: Sequence[str]) -> list[tuple[LanguageScore, ...]]:
        """One answer per text, in order, highest confidence first; empty when a text is too short to say.

        Confidences are rounded to 6 digits: lingua's last bits differ between identical calls.
        """
        ...
