"""Where planning and execution meet: the four operations, the ingestion chain of a corpus, and the command line.

Belongs here: composition. Does not: anything that a format, an engine, the planner or the executor could know itself.
"""
