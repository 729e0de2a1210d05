"""Cursors of dead letters, as clients send them."""

from muster_gateway.fleet.dead_letter_routes import MAX_NUMBER, is_cursor


def test_only_numbers_that_a_stream_can_have_are_cursors_of_dead_letters() -> None:
    assert is_cursor("1")
    assert is_cursor(str(MAX_NUMBER))
    for text in ("", "0", "-1", "1.5", "x", "²", "٣", str(MAX_NUMBER + 1), "9" * 5000):
        assert not is_cursor(text), text[:20]
