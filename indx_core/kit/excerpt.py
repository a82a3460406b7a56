"""The head of a long text, for annotators that cannot afford, or cannot take, the whole of it.

Holds the cut alone; how much an annotator reads is its own setting.
"""

import unicodedata

_LOOK_BACK = 10  # a tenth of the limit: far enough for any word, near enough that Japanese is cut at the limit itself


def excerpt(text: str, max_characters: int) -> str:
    """The head of ``text``: at most ``max_characters`` characters, cut at a nearby whitespace boundary.

    A prefix of the text, so offsets into it hold in the whole. Where no whitespace is near, as in Japanese, it is cut
    at the limit, but never between a character and the marks combined with it.

    Args:
        text: The full text of a unit.
        max_characters: Characters to keep, at least 1.
    """
    if len(text) <= max_characters:
        return text
    for end in range(max_characters, max_characters - max_characters // _LOOK_BACK - 1, -1):
        if text[end].isspace():
            return text[:end]
    end = max_characters
    while end > 1 and _joins(text[end], text[end - 1]):
        end -= 1
    return text[:end]


def _joins(character: str, before: str) -> bool:
    joiner = "\u200d"  # zero-width joiner: a family emoji is several characters held together by it
    return unicodedata.category(character) in {"Mn", "Mc", "Me"} or joiner in (character, before)
