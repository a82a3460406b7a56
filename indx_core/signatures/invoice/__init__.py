"""Invoices, in English and in Japanese: recognised by what they print, and read for number, dates and amounts.

``labels`` holds the patterns, ``fields`` what a page states by them; the signature counts fields, the parser returns
them. Does not read text: that is the format's own reader.
"""

from indx_core.kit.registry import Contribution
from indx_core.signatures.invoice.parser import InvoiceParser
from indx_core.signatures.invoice.signature import InvoiceSignature

CONTRIBUTION = Contribution(readers=(InvoiceParser(),), signatures=(InvoiceSignature(),))
