"""Enrichers: summary lengths and models."""

from resources.base import mirror
from resources.ports import settings_of

EnrichersResource = mirror("EnrichersResource", "Enrichers: summary lengths and models.", settings_of("enrichers"))
