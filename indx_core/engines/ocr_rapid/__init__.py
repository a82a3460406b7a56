"""Recognition of page images with PP-OCR through rapidocr and onnxruntime: the capability ``generic-ocr``.

Only names stand here. The engine is imported by the functions that recognise, and its models are loaded on the first
page of a worker process, never at discovery.
"""

from indx_core.engines.ocr_rapid.reader import GenericOcr
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(readers=[GenericOcr()])
