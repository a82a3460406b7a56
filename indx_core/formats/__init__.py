"""One folder per format family: its page enumerator, observer, reader, chunker and settings, and a ``CONTRIBUTION``.

Formats do not import each other, nor engines. Adding a format adds one folder here and its golden cases; nothing else.
"""
