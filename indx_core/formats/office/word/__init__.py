"""Word documents: sections as pages, and everything that stands in them or beside them."""
