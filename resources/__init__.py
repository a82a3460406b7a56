"""Dagster resources: INDX_* settings as typed, visible configuration of plain core objects. Re-exports nothing.

One file a port. A resource holds values and builds nothing: engines and clients are built in worker processes, once
each, from the same values. What belongs here: configuration and the mapping of failures. Does not: assets, logic.
"""
