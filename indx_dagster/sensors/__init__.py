"""Sensors: one per corpus of ``indx.toml``, that notices new, changed and deleted documents and asks for runs.

Belongs here: what a tick does, in which order, within its time, and what it remembers. Does not: what is stale
(``assets/stale.py``), what is in flight (``assets/in_flight.py``), how a root is listed (``app/ingest/sweep.py``) or a
document removed (``app/ingest/retire.py``).
"""

from indx_dagster.sensors.corpus import build_sensors

__all__ = ["build_sensors"]
