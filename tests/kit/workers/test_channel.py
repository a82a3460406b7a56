"""Messages over a line whose other end may stop or die at any byte."""

import socket
import struct
from collections.abc import Iterator
from threading import Thread

import pytest

from indx_core.kit.workers.channel import Channel

TICK = 0.02


@pytest.fixture
def line() -> Iterator[tuple[Channel, socket.socket]]:
    """Our end as a channel, the other one bare."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def framed(message: bytes) -> bytes:
    return struct.pack("!Q", len(message)) + message


@pytest.mark.parametrize("size", [0, 1, 5_000_000])
def test_a_message_of_any_length_arrives_whole_both_ways(size: int, line: tuple[Channel, socket.socket]) -> None:
    ours, other = line[0], Channel(line[1])
    message = b"x" * size

    def echo() -> None:
        other.post(other.receive())
        with pytest.raises(EOFError):
            other.receive()

    thread = Thread(target=echo)
    thread.start()
    ours.post(message)
    assert ours.receive() == message
    ours.close()
    thread.join()


@pytest.mark.parametrize("sent", [0, 3, 8, 12])
def test_a_half_sent_message_never_blocks_and_is_taken_up_where_it_stopped(
    sent: int, line: tuple[Channel, socket.socket]
) -> None:
    channel, other = line
    whole = framed(b"a message")
    other.sendall(whole[:sent])
    assert channel.turn(TICK) is None
    other.sendall(whole[sent:])
    assert channel.turn(TICK) == b"a message"


@pytest.mark.parametrize("sent", [0, 3, 8, 12])
def test_an_end_that_closes_in_the_middle_of_a_message_is_an_eof(
    sent: int, line: tuple[Channel, socket.socket]
) -> None:
    channel, other = line
    other.sendall(framed(b"a message")[:sent])
    other.close()
    with pytest.raises(EOFError):
        channel.turn(TICK)


def test_a_whole_message_is_received_though_its_sender_is_gone(line: tuple[Channel, socket.socket]) -> None:
    """A worker may die just after it has answered; its answer counts."""
    channel, other = line
    other.sendall(framed(b"last words"))
    other.close()
    assert channel.turn(TICK) == b"last words"


def test_a_message_to_an_end_that_does_not_read_never_blocks(line: tuple[Channel, socket.socket]) -> None:
    channel, other = line
    channel.post(b"x" * 5_000_000)
    assert channel.turn(TICK) is None
    other.close()
    with pytest.raises(EOFError):
        channel.turn(TICK)


def test_two_messages_in_one_go_are_told_apart(line: tuple[Channel, socket.socket]) -> None:
    channel, other = line
    other.sendall(framed(b"one") + framed(b"two"))
    assert [channel.turn(TICK), channel.turn(TICK), channel.turn(TICK)] == [b"one", b"two", None]
