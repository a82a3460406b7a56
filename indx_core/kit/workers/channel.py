"""Whole messages over a socket between a parent and its worker, none of which can block the parent.

Belongs here: framing and partial transfer. Does not: what the messages mean, or who is to blame when the line ends.
"""

import socket
import struct
import time
from collections import deque
from typing import Final

_LENGTH: Final = struct.Struct("!Q")
_CHUNK: Final = 256 * 1024
"""Bytes per read, about what Linux buffers for a local socket (212,992)."""


class Channel:
    """One end of a line that carries messages of any length, one at a time in each direction.

    ``multiprocessing.Connection`` blocks inside a half-sent message, which is where a stopped or thrashing worker
    leaves it; here a parent gets back to its watch after the time it gave.
    """

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._leaving: deque[memoryview] = deque()
        self._arrived = bytearray()

    def post(self, message: bytes) -> None:
        """Have a message sent by the next ``turn``."""
        length = _LENGTH.pack(len(message))
        if len(message) <= _CHUNK:  # one write wakes the other end once; a longer message is not worth its copy
            self._leaving.append(memoryview(length + message))
        else:
            self._leaving += (memoryview(length), memoryview(message))

    def turn(self, seconds: float | None) -> bytes | None:
        """Send what was posted, then receive a message, for at most about this long.

        Returns:
            The message, or ``None`` when the time ran out before it was whole: call again.

        Raises:
            EOFError: The other end is closed and no whole message was left in the line.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        self._end.settimeout(seconds)
        try:
            while self._leaving:
                self._send()
                if deadline is not None and time.monotonic() > deadline:
                    return None
            while (message := self._whole()) is None:
                self._receive()
                if deadline is not None and time.monotonic() > deadline:
                    return self._whole()
        except TimeoutError:
            return None
        except OSError as error:  # reset or broken: the other end died with bytes of ours unread
            raise EOFError from error
        return message

    def receive(self) -> bytes:
        """``turn`` without a limit in time."""
        message = self.turn(None)
        assert message is not None
        return message

    def close(self) -> None:
        """Hang up."""
        self._end.close()

    def _send(self) -> None:
        rest = self._leaving[0][self._end.send(self._leaving[0]) :]
        self._leaving.popleft()
        if rest:
            self._leaving.appendleft(rest)

    def _receive(self) -> None:
        chunk = self._end.recv(_CHUNK)
        if not chunk:
            raise EOFError
        self._arrived += chunk

    def _whole(self) -> bytes | None:
        if len(self._arrived) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._arrived)
        end = _LENGTH.size + length
        if len(self._arrived) < end:
            return None
        message = bytes(memoryview(self._arrived)[_LENGTH.size : end])
        del self._arrived[:end]
        return message
