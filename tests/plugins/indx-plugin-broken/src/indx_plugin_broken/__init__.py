"""Fails while it is imported, as a distribution does whose own dependency is missing."""

raise ImportError("libmemo.so.3: cannot open shared object file")
