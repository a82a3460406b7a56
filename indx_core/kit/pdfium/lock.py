"""The lock of PDFium, and nothing else: whoever needs it alone need not import PDFium."""

import threading

LOCK = threading.RLock()
"""PDFium is not thread-safe: two threads inside it kill the process. Held while a page is open."""
