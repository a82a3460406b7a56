"""Source keys: a document's readable name in Dagster, in the lake and on the command line.

``<corpus>/<path below the root>``, NFC-normalised, Japanese kept. What Dagster, its command line or file systems refuse
is percent-escaped; a key beyond 180 bytes is cut and ended with 12 hex digits of the URI's SHA-256. A key is never a
URI: ``s3://`` as a partition key crashes Dagster's own IO manager. Does not know which documents exist.
"""

import hashlib
import re
import unicodedata
from urllib.parse import unquote

MAX_BYTES = 180
_REFUSED = re.compile(r"[\x00-\x1f\x7f,%:\\]|\.\.\.|^\s|\s$")
CORPUS_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


def source_key(corpus: str, path: str, uri: str) -> str:
    """The key of a document.

    Args:
        corpus: Name of its corpus.
        path: Path below the corpus root, ``/`` between segments, as listed.
        uri: Full address; only its digest is used, and only when the path is too long to stand.
    """
    key = f"{corpus}/{_REFUSED.sub(_escape, unicodedata.normalize('NFC', path))}"
    return key if len(key.encode()) <= MAX_BYTES else told_apart(key, uri)


def told_apart(key: str, uri: str) -> str:
    """The key cut to fit and ended with 12 hex digits of the URI: for keys too long, and for two that collide."""
    suffix = "~" + hashlib.sha256(uri.encode()).hexdigest()[:12]
    head = key.encode()[: MAX_BYTES - len(suffix)].decode(errors="ignore")
    return head.rstrip("%") + suffix


def key_path(key: str) -> tuple[str, str] | None:
    """Corpus and path of a key that was not cut; ``None`` for one that ends in a digest or has no corpus."""
    corpus, slash, rest = key.partition("/")
    if not slash or not CORPUS_NAME.fullmatch(corpus) or re.search(r"~[0-9a-f]{12}$", rest):
        return None
    return corpus, unquote(rest)


def shard_of(key: str, shards: int) -> int:
    """The bucket (0-based) a key falls in: a stable hash, the same on every machine and in every release."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % shards


def shard_name(index: int) -> str:
    """Partition key of a bucket."""
    return f"shard-{index:05d}"


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode())
