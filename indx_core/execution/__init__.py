"""Running a plan: pages down the ladder, chunks, vectors, annotations, the block tree and the trace.

Belongs here: the order of things and what is kept of them. Does not: choosing routes (``planning``), or how any format
or engine works (they come through ports). The same functions serve ``encode`` and the Dagster assets.
"""
