"""Following a stream live: what is missing after a gap or a reconnection, and what was seen already."""

from hypothesis import given
from hypothesis import strategies as st

from muster_bus.stored_messages import Follower, Stored


def stored(seq: int, subject: str = "a") -> Stored:
    return Stored(seq, subject, b"")


def following(*messages: Stored, after: int = 0) -> Follower:
    follower = Follower(after)
    follower.resume(0)
    follower.mark_complete()
    assert all(follower.accept(message, 0) for message in messages)
    return follower


def test_a_message_is_taken_once():
    follower = following(stored(1), stored(2))

    assert not follower.accept(stored(1), 0)
    assert not follower.accept(stored(2), 0)
    assert follower.accept(stored(3), 0)


def test_what_stands_before_the_start_is_not_wanted():
    assert not following(after=10).accept(stored(10), 0)


def test_a_message_that_follows_the_one_before_it_shows_no_gap():
    assert following(stored(3)).gap_before(stored(9), 3) is None
    assert following(after=5).gap_before(stored(9), 4) is None


def test_a_message_whose_predecessor_is_unknown_shows_from_where_to_read():
    assert following(stored(3)).gap_before(stored(9), 7) == 3
    assert following(stored(3)).gap_before(stored(9, "b"), 7) == 0


def test_after_a_reconnection_what_came_since_the_last_one_over_the_old_is_missing():
    assert following(stored(3), stored(5, "b")).resume(1) == 5


def test_a_message_that_comes_over_a_new_connection_before_the_news_of_it_hides_nothing():
    follower = following(stored(3))
    assert follower.accept(stored(9, "b"), 1)

    assert follower.resume(1) == 3
    assert follower.accept(stored(7), -1)
    follower.mark_complete()
    assert follower.resume(2) == 9


def test_a_gap_on_a_new_connection_is_not_filled_only_from_its_own_subject():
    follower = following(stored(3))
    follower.accept(stored(9, "b"), 1)

    assert follower.gap_before(stored(15, "b"), 12) == 3


@given(st.data())
def test_whatever_is_lost_at_cuts_everything_is_seen_exactly_once(data: st.DataObject):
    """Live messages are lost while there is no connection; the news of a new one comes early or late among them."""
    log = [stored(seq, data.draw(st.sampled_from("abc"))) for seq in range(1, data.draw(st.integers(1, 25)) + 1)]
    before = {m.seq: max((p.seq for p in log[:i] if p.subject == m.subject), default=0) for i, m in enumerate(log)}
    follower, seen = Follower(0), list[Stored]()

    def fill(after: int, upto: int) -> None:
        seen.extend(message for message in log[:upto] if message.seq > after and follower.accept(message, -1))
        follower.mark_complete()

    fill(follower.resume(0), 0)
    connection, connected, told = 0, True, True
    for upto, message in enumerate(log, 1):
        if data.draw(st.booleans()) and told:
            connected = told = False
        elif not connected and data.draw(st.booleans()):
            connected, connection = True, connection + 1
        if connected:
            gap = follower.gap_before(message, before[message.seq])
            if gap is not None:
                fill(gap, upto)
            elif follower.accept(message, connection):
                seen.append(message)
        if connected and not told and data.draw(st.booleans()):
            told = True
            fill(follower.resume(connection), upto)
    fill(follower.resume(connection + 1), len(log))

    assert sorted(seen) == log
    for subject in "abc":
        mine = [message for message in seen if message.subject == subject]
        assert mine == sorted(mine)
