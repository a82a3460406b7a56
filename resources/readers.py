"""How pages are read: encodings, recognition engines, vision models, and how pages are cut into chunks."""

from resources.base import mirror
from resources.ports import settings_of

ReadersResource = mirror(
    "ReadersResource",
    "How pages are read: encodings, recognition engines, vision models, and how pages are cut into chunks.",
    settings_of("readers"),
)
