"""Tools that formats, engines and loaders share: registry, settings, deadlines, text and geometry helpers.

Belongs here: code with at least two users in different folders above. Does not: anything that names one format or
engine.
"""
