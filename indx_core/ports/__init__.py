"""The vocabulary of indx: one Protocol a file, ten ports, and the handle they share.

A port says what a plugin author must write. Nothing here has behaviour except ``document.py``'s handle.
Discovery and ordering are in ``kit/registry.py``; one conformance suite per port is in ``testing/``.
"""
