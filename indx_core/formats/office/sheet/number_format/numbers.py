"""Numbers through digit placeholders: thousands, scaling, percent, scientific, fractions.

Values are rounded half up on the 15 digits Excel calculates with.
"""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from indx_core.formats.office.sheet.number_format.code import Kind, Token
from indx_core.formats.office.sheet.number_format.general import decimal_of, rounded

_MAX_DENOMINATOR_DIGITS = 7


def number_writer(tokens: tuple[Token, ...]) -> Callable[[float], str]:
    """Writes numbers of 0 or more through the tokens of a section that has digit placeholders."""
    return _plain_writer(tokens) or (lambda value: _number_text(tokens, value))


def _plain_writer(tokens: tuple[Token, ...]) -> Callable[[float], str] | None:
    """A quick writer for the formats most cells have: ``0``, ``#,##0.00``, ``0.0%`` and text round them.

    Placeholder by placeholder a number takes 30 µs, half a minute for a sheet of a million; this takes 3.
    """
    places = [i for i, token in enumerate(tokens) if token.kind is Kind.DIGIT]
    first, last = places[0], places[-1]
    digits = "".join(token.text for token in tokens[first : last + 1])
    before, after = tokens[:first], tokens[last + 1 :]
    whole, _, decimals = digits.partition(".")
    if whole not in ("0", "#,##0") or decimals.strip("0") or (digits.endswith(".") and not decimals):
        return None
    if any(token.kind not in (Kind.TEXT, Kind.PERCENT) for token in (*before, *after)):
        return None
    power = 2 * sum(token.kind is Kind.PERCENT for token in tokens)
    prefix, suffix = ("".join(token.text for token in part) for part in (before, after))
    layout = ",f" if "," in whole else "f"

    def write(value: float) -> str:
        return f"{prefix}{rounded(decimal_of(value).scaleb(power), len(decimals)):{layout}}{suffix}"

    return write


def _number_text(tokens: tuple[Token, ...], value: float) -> str:
    exact = decimal_of(value) * 100 ** sum(token.kind is Kind.PERCENT for token in tokens)
    kinds = [token.kind for token in tokens]
    if Kind.EXPONENT in kinds:
        return _scientific(tokens, exact)
    if Kind.SLASH in kinds and Kind.DIGIT in kinds[: kinds.index(Kind.SLASH)]:
        return _fraction(tokens, exact)
    return _fixed(tokens, exact)


def _fixed(tokens: tuple[Token, ...], exact: Decimal) -> str:
    places = [i for i, token in enumerate(tokens) if token.kind is Kind.DIGIT]
    if not places:
        return "".join(token.text for token in tokens)
    point = next((i for i, token in enumerate(tokens) if token.kind is Kind.POINT), len(tokens))
    whole, part = [i for i in places if i < point], [i for i in places if i > point]
    last = whole[-1] if whole else -1
    commas = [i for i, token in enumerate(tokens) if token.kind is Kind.COMMA]
    # Commas straight after the last digit scale by a thousand each; one between digits groups.
    scale = 0
    for anchor in {last, part[-1] if part else last}:
        while anchor + scale + 1 in commas:
            scale += 1
    grouped = any(whole and whole[0] < i < last for i in commas)
    digits = f"{rounded(exact.scaleb(-3 * scale), len(part)):f}"
    integer, _, decimals = digits.partition(".")
    shown = _integer_places(tokens, whole, integer.lstrip("0"), grouped=grouped) | _decimal_places(
        tokens, part, decimals
    )
    return "".join(
        shown.get(i, "") if token.kind is Kind.DIGIT else "" if token.kind is Kind.COMMA else token.text
        for i, token in enumerate(tokens)
    )


def _integer_places(tokens: tuple[Token, ...], places: list[int], digits: str, *, grouped: bool) -> dict[int, str]:
    """What stands at each integer placeholder, filled from the right; the first one takes all that is left."""
    shown = {}
    used = 0
    for place in reversed(places):
        take = len(digits) - used if place == places[0] else 1
        chunk = digits[max(0, len(digits) - used - max(take, 1)) : len(digits) - used] if used < len(digits) else ""
        chunk = chunk or {"0": "0", "?": " "}.get(tokens[place].text, "")
        shown[place] = _with_groups(chunk, used) if grouped and chunk.strip() else chunk
        used += max(len(chunk), 1)
    return shown


def _with_groups(chunk: str, to_the_right: int) -> str:
    """Digits with a comma wherever a multiple of three digits follows."""
    written = []
    for index, digit in enumerate(chunk):
        following = to_the_right + len(chunk) - index - 1
        written.append(digit + ("," if following and following % 3 == 0 else ""))
    return "".join(written)


def _decimal_places(tokens: tuple[Token, ...], places: list[int], digits: str) -> dict[int, str]:
    significant = len(digits.rstrip("0"))
    shown = {}
    for index, place in enumerate(places):
        blank = {"0": "0", "?": " "}.get(tokens[place].text, "")
        shown[place] = digits[index] if index < significant else blank
    return shown


def _scientific(tokens: tuple[Token, ...], exact: Decimal) -> str:
    at = next(i for i, token in enumerate(tokens) if token.kind is Kind.EXPONENT)
    mantissa_tokens, exponent_tokens = tokens[:at], tokens[at + 1 :]
    step = 0
    decimals = 0
    after_point = False
    for token in mantissa_tokens:
        after_point = after_point or token.kind is Kind.POINT
        if token.kind is Kind.DIGIT:
            decimals, step = (decimals + 1, step) if after_point else (decimals, step + 1)
    step = max(step, 1)
    exponent = _exponent(exact, step)
    mantissa = exact.scaleb(-exponent)
    if exact and rounded(mantissa, decimals) >= Decimal(10) ** step:
        exponent, mantissa = exponent + step, exact.scaleb(-exponent - step)
    sign = "-" if exponent < 0 else "+" if tokens[at].text.endswith("+") else ""
    power = _fixed(exponent_tokens, Decimal(abs(exponent)))
    return f"{_fixed(mantissa_tokens, mantissa)}E{sign}{power}"


def _exponent(exact: Decimal, step: int) -> int:
    """The power of ten; with several integer places, a multiple of their number (engineering notation)."""
    return exact.adjusted() // step * step if exact else 0


def _fraction(tokens: tuple[Token, ...], exact: Decimal) -> str:
    slash = next(i for i, token in enumerate(tokens) if token.kind is Kind.SLASH)
    start = _run_start(tokens, slash)
    end = slash + 1
    while end < len(tokens) and tokens[end].kind in (Kind.DIGIT, Kind.NUMERAL):
        end += 1
    below = tokens[slash + 1 : end]
    has_whole = any(token.kind is Kind.DIGIT for token in tokens[:start])
    whole = int(exact) if has_whole else 0
    numerator, denominator = _ratio(Fraction(exact) - whole, below)
    if has_whole and numerator == denominator:
        whole, numerator = whole + 1, 0
    before, after = tokens[:start], "".join(token.text for token in tokens[end:] if token.kind is not Kind.DIGIT)
    if has_whole and numerator == 0:
        return _fixed(before, Decimal(whole)) + " " * (end - start) + after
    above = str(numerator).rjust(sum(token.text == "?" for token in tokens[start:slash]))
    lead = "" if has_whole and whole == 0 and not any(token.text == "0" for token in before) else None
    integer = _fixed(before, Decimal(whole)) if lead is None else " " * len(before)
    return f"{integer}{above}/{str(denominator).ljust(sum(token.text == '?' for token in below))}{after}"


def _run_start(tokens: tuple[Token, ...], slash: int) -> int:
    start = slash
    while start and tokens[start - 1].kind is Kind.DIGIT:
        start -= 1
    return start


def _ratio(value: Fraction, below: tuple[Token, ...]) -> tuple[int, int]:
    fixed = "".join(token.text for token in below)
    if fixed.isdigit() and int(fixed) > 0:
        return int(value * int(fixed) + Fraction(1, 2)), int(fixed)
    nearest = value.limit_denominator(10 ** min(max(len(below), 1), _MAX_DENOMINATOR_DIGITS) - 1)
    return nearest.numerator, nearest.denominator
