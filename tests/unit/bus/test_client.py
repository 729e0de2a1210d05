"""What every connection reads faster than nats-py does, and not otherwise."""

from hypothesis import example, given
from hypothesis import strategies as st
from nats.aio import client as nats_py

from muster_bus.nats_client import Client, parse_headers

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
