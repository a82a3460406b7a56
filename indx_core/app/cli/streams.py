"""The standard streams as they may be: closed, in another encoding than UTF-8, read by somebody who leaves early.

Belongs here: what a command must know of them. Does not: what is written (``output``). Imports nothing heavy.
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person is looking. A process may be started without a stream (``2>&-``, a service manager)."""
    return stream is not None and stream.isatty()


def takes_all_characters(stream: TextIO | None) -> bool:
    """Whether whatever is written arrives as written: UTF-8, which JSON has to be (RFC 8259)."""
    return stream is None or (stream.encoding or "").lower().replace("-", "") == "utf8"


def escape_what_cannot_be_written() -> None:
    r"""Have a character that a stream's encoding lacks written as ``\u8acb`` instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End well when the reader of our output has left (``indx sql … | head``): nothing is wrong.

    Click ends with 1 there, which a shell's ``pipefail`` takes for a failure.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more at its end, and would complain there.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        raise click.exceptions.Exit(0) from None
