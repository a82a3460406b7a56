"""What must not be shown, taken out of texts that are: values of secret settings, credentials in addresses.

The last door before a log or a terminal. Messages are written without secrets in the first place.
"""

import re
from functools import lru_cache
from typing import Final

from pydantic import SecretBytes, SecretStr

from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.settings import all_settings

BLOT: Final = "***"
SHORTEST_SECRET: Final = 4
"""Shorter values would blot out ordinary words."""

_USERINFO = re.compile(r"(?<=://)[^/\s@'\"]+@")
_QUERY = re.compile(r"(://[^\s?'\"]+)\?[^\s'\"]+")


def blotted(text: str) -> str:
    """A text without the values of secret settings, and without user names and queries of URLs."""
    for secret in _secrets():
        text = text.replace(secret, BLOT)
    return _QUERY.sub(rf"\1?{BLOT}", _USERINFO.sub(f"{BLOT}@", text))


@lru_cache(maxsize=1)
def _secrets() -> tuple[str, ...]:
    """Values of every secret in force when the first line was written, longest first."""
    found: set[str] = set()
    for cls in all_settings():
        try:
            values = cls.load()
        except SettingsInvalid:
            continue
        for name in cls.model_fields:
            value = getattr(values, name)
            if isinstance(value, SecretStr):
                found.add(value.get_secret_value())
            elif isinstance(value, SecretBytes):
                found.add(value.get_secret_value().decode(errors="replace"))
    return tuple(sorted((each for each in found if len(each) >= SHORTEST_SECRET), key=lambda each: (-len(each), each)))
