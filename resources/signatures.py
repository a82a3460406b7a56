"""Signatures: which documents parsers recognise."""

from resources.base import mirror
from resources.ports import settings_of

SignaturesResource = mirror(
    "SignaturesResource", "Signatures: which documents parsers recognise.", settings_of("signatures")
)
