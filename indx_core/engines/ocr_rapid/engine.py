"""The one place that calls rapidocr: finds lines in an image and reads line images, nothing else.

rapidocr's own pipeline is not used: it shrinks the page before it reads it, reads in batches padded to the longest
line, turns lines over one by one, and returns them in an order of its own. Only imported by functions that recognise.
"""

from functools import lru_cache
from math import sqrt
from typing import Any

import cv2  # noqa: TID253 - see the docstring
import numpy as np  # noqa: TID253 - as above
from numpy.typing import NDArray  # noqa: TID253 - as above
from rapidocr import RapidOCR  # noqa: TID253 - as above
from rapidocr.ch_ppocr_det import TextDetector  # noqa: TID253 - as above
from rapidocr.ch_ppocr_rec import TextRecInput, TextRecognizer  # noqa: TID253 - as above

from indx_core.engines.ocr_rapid.models import Models
from indx_core.kit.geometry.boxes import Quad

Pixels = NDArray[np.uint8]
"""An image as OpenCV has it: height x width x 3, blue first."""

_LEAST_SIDE = 736
"""Small images are enlarged so that their short side reaches this, as PP-OCR's own default does."""
_MOST_ENLARGED = 4.0
_LONGEST_STRIP = 2
"""A long strip may be this much longer than a page's long side; padded to one eighth, it then has a page's area."""
_PADDED_ASPECT = 8
"""A strip longer than this against its height is padded: the detector misses text that touches both edges."""
_WIDEST_LINE = 120.0
"""Width over height beyond which a line image is squeezed. A real line has a hundred characters; the cost of reading
grows with the square of the width."""


class Engine:
    """Two loaded models. Identical input gives identical output, whatever was read before."""

    def __init__(self, models: Models, threads: int) -> None:
        config = RapidOCR(
            params={
                "Global.log_level": "critical",
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
                # Without the arena every inference maps and unmaps its buffers: detection takes twice the CPU time.
                "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
                "Det.limit_type": "max",
                "Det.limit_side_len": 1 << 20,
                # Paths are always given: without one rapidocr would look for its models on the network.
                "Det.model_path": str(models.detection),
                "Rec.model_path": str(models.recognition),
                "Rec.rec_keys_path": str(models.keys) if models.keys else None,
                # One line a batch. A batch is padded to its longest line, which costs a quarter more on a page of
                # prose, and a line's text would depend on its neighbours.
                "Rec.rec_batch_num": 1,
            }
        ).cfg
        config.Det.engine_cfg = config.EngineConfig[config.Det.engine_type.value]
        config.Rec.engine_cfg = config.EngineConfig[config.Rec.engine_type.value]
        config.Rec.font_path = None
        self._detector = TextDetector(config.Det)
        self._recogniser = TextRecognizer(config.Rec)

    def lines(self, image: Pixels, longest_side: int) -> list[Quad]:
        """Corners of the text lines in an image, in its own pixels, in no particular order.

        Args:
            image: Any size, 1 x 1 included.
            longest_side: The image is searched with the pixels an A4 page has at this long side.
        """
        height, width = image.shape[:2]
        scale = _search_scale(height, width, longest_side)
        found = self._detector(_padded(_scaled(image, scale)))
        if found.boxes is None:
            return []
        corners = np.asarray(found.boxes, dtype=np.float64) / scale
        corners = corners.clip((0, 0), (width, height))
        return [_quad(box) for box in corners.tolist()]

    def read(self, lines: list[Pixels]) -> list[tuple[str, float]]:
        """Text and score, 0-1, of images that show one upright line each."""
        if not lines:
            return []
        result = self._recogniser(TextRecInput(img=[_squeezed(line) for line in lines], return_word_box=False))
        return [(str(text), float(score)) for text, score in zip(result.txts or (), result.scores or (), strict=True)]


@lru_cache(maxsize=1)
def engine(models: Models, threads: int) -> Engine:
    """The engine of this process, loaded on first use."""
    return Engine(models, threads)


def _search_scale(height: int, width: int, longest_side: int) -> float:
    """What to scale an image by before lines are looked for: by area, so that type on a long strip stays legible."""
    largest = min(longest_side / sqrt(height * width * sqrt(2)), _LONGEST_STRIP * longest_side / max(height, width))
    wanted = max(1.0, _LEAST_SIDE / min(height, width))
    return min(largest, wanted, _MOST_ENLARGED)


def _scaled(image: Pixels, scale: float) -> Pixels:
    if scale == 1:
        return image
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return _pixels(cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC))


def _padded(image: Pixels) -> Pixels:
    """The image extended to the right and below with its commonest shade, so that no side vanishes in the network."""
    height, width = image.shape[:2]
    least = max(64, max(height, width) // _PADDED_ASPECT)
    below, right = max(0, least - height), max(0, least - width)
    if not (below or right):
        return image
    shade = [float(value) for value in np.median(image.reshape(-1, 3), axis=0)]
    return _pixels(cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=shade))


def _squeezed(line: Pixels) -> Pixels:
    height, width = line.shape[:2]
    if width <= _WIDEST_LINE * height:
        return line
    return _pixels(cv2.resize(line, (int(_WIDEST_LINE * height), height), interpolation=cv2.INTER_AREA))


def _pixels(image: Any) -> Pixels:
    return np.asarray(image, dtype=np.uint8)


def _quad(corners: list[list[float]]) -> Quad:
    a, b, c, d = ((x, y) for x, y in corners)
    return a, b, c, d
