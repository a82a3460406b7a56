"""Schedules: one per corpus of ``indx.toml``, that brings it up to date by night.

Belongs here: when, and what one night asks for. Does not: what is stale (``assets/stale.py``) and what it would cost
(``quote.py``). What is new or changed by day is noticed by the sensors.
"""

from indx_dagster.schedules.corpus import build_schedules

__all__ = ["build_schedules"]
