"""One folder per format-blind engine: recognition, embedding, annotation. Each is one extra and one settings file.

Engines do not import each other, nor formats. Heavy packages are imported inside functions: discovery loads nothing.
"""
