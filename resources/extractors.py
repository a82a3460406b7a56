"""Entity extractors: gazetteers, dictionaries and models."""

from resources.base import mirror
from resources.ports import settings_of

ExtractorsResource = mirror(
    "ExtractorsResource", "Entity extractors: gazetteers, dictionaries and models.", settings_of("extractors")
)
