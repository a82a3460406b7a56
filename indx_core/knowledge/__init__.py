"""What can be asked of many documents together: SQL and search over the lake, and the knowledge space.

Belongs here: questions over outputs that exist. Does not: making them (``execution``).
"""
