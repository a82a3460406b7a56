"""PDFium for everybody in this process: one opener of PDFs, one lock.

What belongs here: how a PDF is opened, repaired, refused and closed, and how its pages are loaded and released. What
does not: what stands on a page (the PDF format reads it) and what it looks like (``kit.render`` draws it).
"""
