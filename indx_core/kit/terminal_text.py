"""Text of documents as a terminal may show it: data, never a sequence that moves its cursor or sets its title."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def terminal_text(text: str) -> str:
    r"""The text with every control character but tab and line feed replaced by U+FFFD; CR LF counts as a line feed.

    >>> terminal_text("a" + chr(27) + "[31m")
    'a�[31m'
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))
