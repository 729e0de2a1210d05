"""Parts of files, as clients ask for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_gateway.http.ranges import Span, Unsatisfiable, client_has, is_unchanged, parse_range

ETAG = '"abc"'


@pytest.mark.parametrize(
    ("header", "span"),
    [
        ("bytes=0-3", Span(0, 4)),
        ("bytes=4-", Span(4, 10)),
        ("bytes=-4", Span(6, 10)),
        ("bytes=-40", Span(0, 10)),
        ("bytes=9-99999999", Span(9, 10)),
        ("Bytes = 2 - 2", Span(2, 3)),
        ("bytes=0-1,4-5", None),
        ("bytes=5-4", None),
        ("bytes=-", None),
        ("lines=0-1", None),
        ("", None),
        ("bytes=٣-", None),
        ("bytes=" + "9" * 40 + "-", None),
    ],
)
def test_a_range_asks_for_these_bytes_of_ten(header: str, span: Span | None):
    assert parse_range(header, 10) == span


@pytest.mark.parametrize("header", ["bytes=10-", "bytes=10-20", "bytes=-0"])
def test_bytes_that_are_not_there_cannot_be_had(header: str):
    with pytest.raises(Unsatisfiable):
        parse_range(header, 10)


@given(st.text(max_size=30) | st.from_regex(r"bytes=\d*-\d*", fullmatch=True), st.integers(0, 2**40))
def test_whatever_is_asked_for_lies_within_the_file(header: str, size: int):
    try:
        span = parse_range(header, size)
    except Unsatisfiable:
        return
    assert span is None or 0 <= span.start < span.stop <= size


def test_a_file_the_client_has_is_known_by_its_tag():
    assert client_has('"x", W/"abc"', ETAG)
    assert client_has("*", ETAG)
    assert not client_has('"ab"', ETAG)
    assert not client_has("", ETAG)
    assert is_unchanged("", ETAG)
    assert is_unchanged(ETAG, ETAG)
    assert not is_unchanged('W/"abc"', ETAG)
    assert not is_unchanged("Wed, 21 Oct 2015 07:28:00 GMT", ETAG)
