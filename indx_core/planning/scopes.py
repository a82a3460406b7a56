"""Scope addresses and how page lists are written in sentences. Knows nothing of routes or rules."""

from collections.abc import Iterable, Sequence

DOCUMENT = "document"
_PAGE = "page:"
_SHOWN_RUNS = 12  # every other page of a thousand is a count and not a sentence


def page_scope(page: int) -> str:
    """Address of a page, 1-based: ``page:2``."""
    return f"{_PAGE}{page}"


def page_of(scope: str) -> int | None:
    """Page number of a page scope; ``None`` for ``document`` and for anything that is no page address."""
    number = scope.removeprefix(_PAGE)
    return int(number) if scope.startswith(_PAGE) and number.isascii() and number.isdigit() else None


def describe(pages: Sequence[int], total: int) -> str:
    """The pages as a reader wants them: ``document`` when it is all of them, ``page:2``, or ``pages 2-5, 9``.

    Args:
        pages: 1-based numbers, ascending.
        total: Pages of the document.
    """
    if len(pages) == total:
        return DOCUMENT
    if len(pages) == 1:
        return page_scope(pages[0])
    runs = [f"{first}-{last}" if last > first else str(first) for first, last in _runs(pages)]
    more = f", … ({len(pages)} pages)" if len(runs) > _SHOWN_RUNS else ""
    return "pages " + ", ".join(runs[:_SHOWN_RUNS]) + more


def listed(names: Iterable[str], conjunction: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *leading, last = names
    return f"{', '.join(leading)} {conjunction} {last}" if leading else last


def _runs(pages: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], page)
        else:
            runs.append((page, page))
    return runs
