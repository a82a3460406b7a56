"""The ingestion of a corpus, without Dagster: which documents, which stages, in worker processes, into the lake.

Belongs here: the chain one document goes through, the rows it leaves, and why a document is stale. Does not: partitions
and events (``assets`` and ``indx_dagster``), or how any single step works (``planning``, ``execution``).
"""
