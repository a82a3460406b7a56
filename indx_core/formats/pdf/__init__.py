"""PDF: everything this family contributes. Only names stand here; PDFium is imported by the functions that open a file.

Belongs in this folder: PDF and nothing else. Recognition of scanned pages is an engine's, not this folder's.
"""

from indx_core.formats.pdf.chunker import PdfChunker
from indx_core.formats.pdf.observer import PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=[PdfObserver()], readers=[NativeExtraction()], chunkers=[PdfChunker()])
