"""Workbooks: sheets as pages, cells as Excel shows them."""
