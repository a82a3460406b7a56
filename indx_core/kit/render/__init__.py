"""Turns a page of any document into an image: what recognition, vision models, page-image chunks and review look at.

What belongs here: decoding and rasterising, by media type, with a limit on pixels that holds before a bitmap exists.
What does not: reading text out of an image, and deciding what a page is (observers do, with the enumerator here).
"""
