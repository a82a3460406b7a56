"""The nouns of indx: frozen models that every layer shares, and nothing that acts on them.

One noun a file. What belongs here: pydantic models of the public contract (requests, plans, blocks, traces), the small
frozen dataclasses that pass between ports inside one process (pages, chunk pieces), the typed errors, and the Arrow
schema of every table. What does not: I/O, settings, and anything that imports another layer.
"""
