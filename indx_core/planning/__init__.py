"""The planner: which capability reads which page, at what price and why, decided before anything runs.

Belongs here: pure functions from an observation, a snapshot, a request and prices to a ``RoutePlan``; no clock, no
network, no reader. Two modules touch the outside and say so: ``economics.load_economics`` reads the operator's file,
``signatures.detect`` asks installed signatures. Running a plan is ``execution/``'s.

One request goes through ``refusals.validate_request`` (before the source is fetched), ``snapshot.take`` (once per
process or run), ``signatures.detect`` (only where asked for) and ``decide.decide``; a plan that was handed back goes
through ``conflict.check_plan`` instead.
"""
