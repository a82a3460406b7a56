"""Feature hashing of character trigrams, over a whole batch at once.

After Weinberger et al., "Feature Hashing for Large Scale Multitask Learning" (2009): each trigram adds +1 or -1, by
one bit of its hash, to the component that other bits name. Only integers are summed, and the norm is taken of an exact
sum, so a vector has the same bytes whatever batch it was made in and whatever the machine.
"""

import unicodedata
from collections.abc import Sequence

import numpy as np  # noqa: TID253 - this module is imported by the first embedding, never before
import numpy.typing as npt  # noqa: TID253 - as above

_WINDOW = 1 << 16  # trigrams per step: its arrays stay in the processor's cache, and memory does not grow with a text
_BLOCK = 1024  # texts per step: two megabytes of counts
_START, _END = "\x02", "\x03"  # edges of a text, so that its first and last characters have trigrams of their own
_SPREAD = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)  # odd 64-bit constants, one per position
_MIX = 0xD6E8FEB86659FD93  # multiplier of a 64-bit finaliser whose high bits depend on all input bits


def embed(texts: Sequence[str], dimension: int) -> npt.NDArray[np.float32]:
    """L2-normalised vectors of texts, float32, shape ``(len(texts), dimension)``.

    A text without trigrams (nothing but white space), or one whose trigrams cancel, is the first unit vector: a vector
    of zeros has no direction to compare.

    Args:
        texts: Any texts; compared by their NFKC, case-folded form, with runs of white space as one space.
        dimension: A power of two.
    """
    vectors = np.empty((len(texts), dimension), dtype=np.float32)
    for start in range(0, len(texts), _BLOCK):
        block = slice(start, start + _BLOCK)
        vectors[block] = _unit(_counts([_normalised(text) for text in texts[block]], dimension))
    return vectors


def _unit(counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    norms = np.sqrt(np.square(counts).sum(axis=1, keepdims=True))
    counts[norms[:, 0] == 0, 0] = 1.0
    scaled: npt.NDArray[np.float64] = counts / np.where(norms == 0, 1.0, norms)
    return scaled


def _normalised(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return f"{_START}{' '.join(folded.split())}{_END}"


def _counts(texts: list[str], dimension: int) -> npt.NDArray[np.float64]:
    """Signed counts per text and component: integers, as floats."""
    characters = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    rows = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    counts = np.zeros((len(texts), dimension))
    for start in range(0, len(characters) - 2, _WINDOW):
        window = slice(start, start + _WINDOW + 2)
        _add_window(counts, characters[window].astype(np.uint64), rows[window])
    return counts


def _add_window(
    counts: npt.NDArray[np.float64], characters: npt.NDArray[np.uint64], rows: npt.NDArray[np.int64]
) -> None:
    hashes = _hashes(characters)
    own = rows[:-2]
    within = own == rows[2:]  # a trigram that reaches into the next text belongs to neither
    first, last, dimension = int(own[0]), int(own[-1]), counts.shape[1]
    buckets = (hashes & np.uint64(dimension - 1)).view(np.int64) + (own - first) * dimension
    signs = within * (1 - 2 * (hashes >> np.uint64(63)).view(np.int64))
    added = np.bincount(buckets, weights=signs, minlength=(last - first + 1) * dimension)
    counts[first : last + 1] += added.reshape(-1, dimension)


def _hashes(characters: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """One 64-bit hash per three neighbouring characters; arithmetic wraps."""
    one, two, three = (np.uint64(constant) for constant in _SPREAD)
    mixed: npt.NDArray[np.uint64] = characters[:-2] * one + characters[1:-1] * two + characters[2:] * three
    mixed ^= mixed >> np.uint64(32)
    mixed *= np.uint64(_MIX)
    mixed ^= mixed >> np.uint64(32)
    return mixed
