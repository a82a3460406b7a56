"""The six assets of the pipeline with the one step that materializes them, and a corpus's knowledge space.

Re-exports nothing. What an asset is called and shows lives in a file of its own; ``ingest.py`` is the step that runs
documents through the stages; ``partitions.py``, ``sources.py`` and ``plan_of_record.py`` say which documents and which
plans. What belongs here: asking, calling one core function, recording. Does not: anything about documents that
``indx_core`` could decide.
"""
