"""What every connection reads and writes faster than nats-py does, and not otherwise."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nats.aio import client as nats_py
from nats.errors import BadHeaderError, BadSubjectError

from muster_bus.nats_client import Client, format_publish, parse_headers

PIECES = st.sampled_from(
    [b"Nats-Subject", b": ", b":", b"\r\n", b"\n", b" ", b"\t", b"\x1c", b"\xff", b"a.b", b"\xc3\xa9"]
)


@given(st.one_of(st.binary(max_size=60), st.lists(PIECES, max_size=15).map(b"".join)))
@example(b"Nats-Stream: LOGS\r\nNats-Sequence: 12\r\nNats-Subject: muster.logs.r.w\r\n\r\n")
@example(b"\x1cName: value\r\nTwo Words: value\r\n: no name\r\nName:\tother\r\nv:1")
def test_headers_are_read_as_nats_py_reads_them(raw: bytes):
    assert parse_headers(raw) == nats_py.Client._parse_header_lines(raw)


def test_the_client_still_reads_headers_where_it_is_told_to():
    assert Client._parse_header_lines is parse_headers


TEXTS = st.text(st.sampled_from("aZ9-_.: \t\r\né\x85\x1f"), max_size=8)
NAMES = st.text(st.sampled_from("aZ9-_. "), max_size=6)


@given(st.binary(max_size=20), st.sampled_from(["", "_INBOX.a"]), st.one_of(st.none(), st.dictionaries(NAMES, TEXTS)))
@example(b"x", "", {})
@example(b"x", "_INBOX.a", {"v": "1", " ": "left out", "Two\r": "a\r\nb: c"})
def test_messages_are_written_as_nats_py_writes_them(payload: bytes, reply: str, headers: dict[str, str] | None):
    def outcome(write: Callable[[], bytes]) -> bytes | type[Exception]:
        try:
            return write()
        except BadHeaderError:
            return BadHeaderError

    theirs = nats_py.Client()
    theirs._flush_queue = None
    sending = theirs._send_publish("a.b", reply, payload, len(payload), headers)
    expected = outcome(lambda: _sent(theirs, sending))
    assert outcome(lambda: format_publish("a.b", reply, payload, headers)) == expected


def _sent(client: nats_py.Client, sending: Coroutine[Any, Any, None]) -> bytes:
    with pytest.raises(StopIteration):
        sending.send(None)
    return client._pending[-1]


def test_a_message_without_a_subject_is_refused():
    with pytest.raises(BadSubjectError):
        format_publish("", "", b"", None)
