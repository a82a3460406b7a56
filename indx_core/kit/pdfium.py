"""What every user of PDFium in this process shares: its lock. Holds no PDF logic."""

import threading

LOCK = threading.RLock()
"""PDFium is not thread-safe: two threads inside it kill the process. Held while a page is open."""
