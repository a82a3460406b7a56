"""Text that every encoder can take. Readers may pass on halves of surrogate pairs, which UTF-8 has no form for."""


def encodable(text: str) -> str:
    """The text with every lone surrogate replaced by ``?``; as long as before, so offsets hold.

    >>> encodable("a" + chr(0xD800) + "b")
    'a?b'
    """
    return text.encode("utf-8", "replace").decode("utf-8")
