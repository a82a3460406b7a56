"""The queue of pages that wait for a person: what is in it, how an answer enters, which answers still have to be run.

Belongs here: rules over the lake. Does not: reading an answer (``formats/any``), running the document again and the
command (``indx_dagster/review``). Re-exports nothing.
"""
