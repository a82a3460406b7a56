"""The helpers of the suites: a promise with its sentence, and the promises that several ports share."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import Box, BoxReason

T = TypeVar("T")
_MEDIA_TYPE = re.compile(r"[a-z]+/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*")


def expect(kept: object, promise: str) -> None:
    """Raise ``AssertionError`` with the sentence unless the promise was kept."""
    if not kept:
        raise AssertionError(promise)


def expect_port(implementation: object, port: type) -> None:
    """Every member of the port is there."""
    expect(
        isinstance(implementation, port), f"{type(implementation).__name__} lacks a member of the port {port.__name__}"
    )


def expect_name(name: object, what: str) -> None:
    """A name that stands on the wire: a non-empty string without white space."""
    expect(isinstance(name, str) and name and not re.search(r"\s", name), f"{what} is a name without spaces: {name!r}")


def expect_media_types(media_types: object) -> None:
    """A tuple of ``type/subtype`` in the registered spelling (``...macroEnabled.12`` has a capital), no parameters."""
    expect(isinstance(media_types, tuple), "media_types is a tuple")
    assert isinstance(media_types, tuple)
    for media_type in media_types:
        expect(_MEDIA_TYPE.fullmatch(media_type), f"a media type is type/subtype without parameters: {media_type!r}")


def expect_box(box: Box | None, reason: BoxReason | None, what: str) -> None:
    """A box or a reason, never both and never neither; the box inside the page."""
    expect((box is None) != (reason is None), f"{what} has a box or a reason for having none, never both or neither")
    if box is not None:
        x0, y0, x1, y1 = box
        expect(0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1, f"{what} has its box inside 0-1, corners ordered: {box}")


def expect_confidence(value: float | None, what: str) -> None:
    """0-1, or no claim."""
    expect(value is None or 0 <= value <= 1, f"{what} states a confidence in 0-1: {value}")


def expect_cost(value: float | None) -> None:
    """A price, or unknown."""
    expect(value is None or value >= 0, f"cost_usd is a price or None for unknown: {value}")


def expect_twice(answer: Callable[[], T], what: str) -> T:
    """The same call gives the same answer, since outputs are byte-identical between runs."""
    first, second = answer(), answer()
    expect(first == second, f"{what} answers the same call the same way twice")
    return first


def expect_typed(call: Callable[[], Any], *errors: type[IndxError]) -> None:
    """The call raises one of these errors and nothing else."""
    names = " or ".join(error.__name__ for error in errors)
    try:
        call()
    except errors:
        return
    except Exception as error:
        raise AssertionError(f"only {names} may leave the port here, not {type(error).__name__}") from error
    raise AssertionError(f"{names} is raised here")


def expect_one_each(answers: list[Any], texts: Iterable[str]) -> None:
    """One answer per text, in order."""
    asked = len(list(texts))
    expect(
        isinstance(answers, list) and len(answers) == asked, f"one answer per text: {asked} asked, {len(answers)} given"
    )
