"""The General format: up to 11 characters of a number, scientific where they do not suffice."""

from decimal import ROUND_HALF_UP, Context, Decimal

_WIDTH = 11
"""Characters General gives a number in a wide column, point included and sign not."""


_EXACT = Context(prec=700)
"""Digits enough for the widest double with decimals; the usual 28 make rounding 1E+30 an error."""


def rounded(exact: Decimal, decimals: int) -> Decimal:
    """Rounded half up, as Excel rounds, to some decimals."""
    return exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP, context=_EXACT)


def decimal_of(value: float) -> Decimal:
    """The 15 significant digits that Excel calculates with: 0.1 + 0.2 is 0.3 in a sheet."""
    return Decimal(f"{value:.15g}")


def general(value: float) -> str:
    """A number as the General format shows it: ``0.333333333``, ``1234567.891``, ``1.23457E+11``."""
    if float(value).is_integer() and abs(value) < 10**_WIDTH:
        return str(int(value))
    exact = decimal_of(abs(value))
    sign = "-" if value < 0 else ""
    exponent = exact.adjusted()
    if exponent >= _WIDTH or (exponent < -4 and len(f"{exact.normalize():f}") > _WIDTH):
        return sign + _scientific(exact)
    decimals = _WIDTH - 2 - max(exponent, 0)
    shown = rounded(exact, max(decimals, 0))
    if shown.adjusted() >= _WIDTH:
        return sign + _scientific(exact)
    return sign + _trimmed(f"{shown:f}")


def _scientific(exact: Decimal) -> str:
    exponent = exact.adjusted()
    mantissa = rounded(exact.scaleb(-exponent), 5)
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{_trimmed(f'{mantissa:f}')}E{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
