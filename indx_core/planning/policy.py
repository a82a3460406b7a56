"""The version of the routing rules. Holds the one constant, and nothing that applies it."""

POLICY_VERSION = "1"
"""Moves when the same observation, inventory, request and prices would be decided differently by new code.

It is hashed into ``snapshot_id``, so a plan of older rules is a plan conflict and never a silent re-plan. Chunking,
embedding and annotating do not move it: they touch no route.
"""
