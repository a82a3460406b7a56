"""Where bytes come from: roots, buckets, endpoints, timeouts of every installed loader."""

from resources.base import mirror
from resources.ports import settings_of

LoadersResource = mirror(
    "LoadersResource",
    "Where bytes come from: roots, buckets, endpoints, timeouts of every installed loader.",
    settings_of("loaders"),
)
