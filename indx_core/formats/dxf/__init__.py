"""Drawings (image/vnd.dxf): everything this family contributes.

``drawing`` is the page enumerator that observer and reader share. Below it: ``encoding`` decides the code page,
``loading`` opens the drawing, ``collecting`` walks layouts and blocks, ``texts``, ``dimensions``, ``tables`` and
``extents`` know single entities.
"""

from indx_core.formats.dxf.observer import DxfObserver
from indx_core.formats.dxf.reader import DxfReader
from indx_core.kit.registry import Contribution

CONTRIBUTION = Contribution(observers=(DxfObserver(),), readers=(DxfReader(),))
