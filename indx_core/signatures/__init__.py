"""One folder per recognisable kind of document: its detector, and the parser it nominates."""
