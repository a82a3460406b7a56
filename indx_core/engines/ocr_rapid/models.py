"""Where the engine's models are, whether it can run, and what it calls itself. Nothing heavy is imported or loaded."""

import hashlib
import importlib.metadata
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from indx_core.engines.ocr_rapid.alphabet import languages, read_alphabet
from indx_core.engines.ocr_rapid.settings import OcrSettings

_DETECTION = "PP-OCRv6_det_small.onnx"
_RECOGNITION = "PP-OCRv6_rec_small.onnx"
"""Inside the rapidocr wheel since 3.10. The PP-OCRv4 models of earlier packages cannot write kana."""


class Unavailable(Exception):
    """Why recognition cannot run here; the message says what to do."""


class Models(NamedTuple):
    """The files one engine is built from, and what they amount to.

    Attributes:
        detection: ONNX file that finds lines.
        recognition: ONNX file that reads them.
        keys: Alphabet file of a recognition model without its own.
        name: What changes when the text may: engine version and model files, another file's digest included.
        languages: What the alphabet can write.
    """

    detection: Path
    recognition: Path
    keys: Path | None
    name: str
    languages: tuple[str, ...]


def find_models(settings: OcrSettings) -> Models:
    """The models in force.

    Raises:
        Unavailable: A package or a model is missing, or the model's alphabet is unknown.
    """
    missing = [name for name in ("rapidocr", "onnxruntime") if importlib.util.find_spec(name) is None]
    if missing:
        raise Unavailable(f"install the 'ocr' extra; missing: {', '.join(missing)}")
    detection = _model(settings.detection_model, _DETECTION, "detection_model")
    recognition = _model(settings.recognition_model, _RECOGNITION, "recognition_model")
    keys = Path(settings.recognition_keys) if settings.recognition_keys else None
    try:
        alphabet = read_alphabet(recognition, keys)
    except (OSError, UnicodeDecodeError):
        raise Unavailable(f"{OcrSettings.variable('recognition_keys')} names no readable text file") from None
    if not alphabet:
        raise Unavailable(f"the recognition model states no alphabet: set {OcrSettings.variable('recognition_keys')}")
    named = [f"rapidocr {importlib.metadata.version('rapidocr')}", _label(detection), _label(recognition)]
    return Models(detection, recognition, keys, " ".join(named), languages(alphabet))


def _model(chosen: str | None, bundled: str, field: str) -> Path:
    path = Path(chosen) if chosen else _bundled_folder() / bundled
    if path.is_file():
        return path
    if chosen:
        raise Unavailable(f"{OcrSettings.variable(field)} names no file")
    raise Unavailable(f"install rapidocr 3.10 or later, which brings {bundled}")


def _bundled_folder() -> Path:
    spec = importlib.util.find_spec("rapidocr")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "models"


def _label(model: Path) -> str:
    """The file's name, with a digest unless it came in the wheel: a replaced file is another model."""
    if model.parent == _bundled_folder():
        return model.stem
    stamp = model.stat()
    return f"{model.stem}@{_digest(model, stamp.st_mtime_ns, stamp.st_size)}"


@lru_cache(maxsize=4)
def _digest(model: Path, _modified: int, _size: int) -> str:
    return hashlib.sha256(model.read_bytes()).hexdigest()[:12]
