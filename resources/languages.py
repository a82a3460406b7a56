"""Language detection: candidates and thresholds."""

from resources.base import mirror
from resources.ports import settings_of

LanguagesResource = mirror(
    "LanguagesResource", "Language detection: candidates and thresholds.", settings_of("language_detectors")
)
