"""Reads what is piped into a command: UTF-8 text, whatever the locale."""

import io
import os
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from muster_protocol.errors import InvalidRequest


def is_typed() -> bool:
    """Return whether a person types at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_input() -> str:
    """Return all of stdin.

    Raises:
        InvalidRequest: it is not UTF-8 text.
    """
    return _decoded(_stream().read())


def input_lines() -> Iterator[str]:
    """Yield the lines of stdin, without their ends.

    Raises:
        InvalidRequest: one is not UTF-8 text.
    """
    for number, line in enumerate(_stream()):
        yield _decoded(line, before=number).rstrip("\r\n")


@contextmanager
def endable_input() -> Generator[Callable[[], None]]:
    """Pass stdin on through a socket, and give a function that ends it, as leaving the block does.

    A thread that waits for input cannot be interrupted, and Python waits for it, or aborts, when it exits.
    """
    if sys.stdin is None or sys.stdin is not sys.__stdin__:
        yield lambda: None
        return
    number = sys.stdin.fileno()
    source = os.dup(number)
    reading, passing = socket.socketpair()

    def end() -> None:
        with suppress(OSError):
            passing.shutdown(socket.SHUT_WR)

    def copy() -> None:
        with suppress(OSError):
            while data := os.read(source, 65_536):
                passing.sendall(data)
        end()

    os.dup2(reading.fileno(), number)
    threading.Thread(target=copy, name="stdin", daemon=True).start()
    try:
        yield end
    finally:
        end()
        os.dup2(source, number)
        reading.close()


def _stream() -> BinaryIO:
    return io.BytesIO() if sys.stdin is None else sys.stdin.buffer


def _decoded(data: bytes, before: int = 0) -> str:
    """Return data as text; `before`: how many lines came before it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = before + data.count(b"\n", 0, error.start) + 1
        text = f"line {line} of stdin is not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise InvalidRequest([text]) from None
