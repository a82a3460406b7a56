"""The six assets of the pipeline and the one step that materializes them. Re-exports nothing.

Each asset's spec and metadata live in a file of its own; ``ingest.py`` is the step that runs documents through the
stages; ``partitions.py``, ``sources.py`` and ``replay.py`` say which documents and which plans. What belongs here:
asking, calling one core function, recording. Does not: anything about documents that ``indx_core`` could decide.
"""
