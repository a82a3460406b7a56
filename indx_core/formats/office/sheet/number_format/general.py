"""The General format: up to 11 characters of a number, scientific where they do not suffice."""

from decimal import ROUND_HALF_UP, Decimal

_WIDTH = 11
"""Characters General gives a number in a wide column, point included and sign not."""


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
    rounded = exact.quantize(Decimal(1).scaleb(-max(decimals, 0)), rounding=ROUND_HALF_UP)
    if rounded.adjusted() >= _WIDTH:
        return sign + _scientific(exact)
    return sign + _trimmed(f"{rounded:f}")


def _scientific(exact: Decimal) -> str:
    exponent = exact.adjusted()
    mantissa = exact.scaleb(-exponent).quantize(Decimal("1.00000"), rounding=ROUND_HALF_UP)
    if mantissa >= 10:
        mantissa, exponent = mantissa / 10, exponent + 1
    return f"{_trimmed(f'{mantissa:f}')}E{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _trimmed(digits: str) -> str:
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
