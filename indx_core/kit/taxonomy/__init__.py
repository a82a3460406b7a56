"""Label tables: facets of labels, each named in Japanese and English, with the words that vote for it.

What belongs here: the file format, the three tables that are shipped, and loading an operator's own in their place.
What does not: deciding which label a text carries; every classifier reads the same table in its own way.
"""
