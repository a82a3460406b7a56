"""Classifiers: taxonomies and models."""

from resources.base import mirror
from resources.ports import settings_of

ClassifiersResource = mirror("ClassifiersResource", "Classifiers: taxonomies and models.", settings_of("classifiers"))
