"""One folder per kind of source: how bytes of a URI scheme arrive, and how a root of it is listed."""
