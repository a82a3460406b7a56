"""The vocabulary of a text: what it is about, word by word, without a dictionary.

English words without those that every text has; Japanese kanji in pairs and katakana words whole. Hiragana, digits and
single letters say little of a subject and are left out.
"""

import re
import unicodedata

_TERM = re.compile(r"[a-z][a-z'’-]+[a-z]|[\u30a1-\u30ff]{2,}|[\u3400-\u9fff々]{2,}|[^\W\d_a-z\u3040-\u9fff]{3,}")
_WORDS_OF_EVERY_TEXT = """
    about above after again all also and any are because been before being below between both but can could did does
    doing down during each for from further had has have having her here his how into its just may more most must not
    now off once only other our out over own same shall she should some such than that the their them then there these
    they this those through too under until upon very was were what when where which while who whom why will with would
    you your
"""
_STOPWORDS = frozenset(_WORDS_OF_EVERY_TEXT.split())


def terms(text: str) -> list[str]:
    """Terms of a text in order, repeated as often as they occur.

    >>> terms("The annual report: 株式会社の報告")
    ['annual', 'report', '株式', '式会', '会社', '報告']
    """
    found: list[str] = []
    for match in _TERM.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = match.group()
        if "\u3400" <= word[0] <= "\u9fff":
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
        elif word not in _STOPWORDS:
            found.append(word)
    return found
