"""Who may hold a session, and when a connection is kept."""

import pytest

from muster_protocol.sessions import Holder, SessionRow, choice_text, chosen_index
from muster_sessionhost.fencing import Admission, admit
from muster_sessionhost.leases import is_live

NOW = Holder(dispatch=3, delivery=2, worker="a")


@pytest.mark.parametrize(
    ("dispatch", "delivery", "worker", "expected"),
    [
        (3, 2, "a", "keep"),  # asked again, as its reply was lost
        (4, 1, "a", "keep"),  # the same worker's next sub-task
        (3, 3, "a", "rebind"),  # the same sub-task again: its first attempt may still be acting
        (3, 3, "b", "rebind"),
        (4, 1, "b", "rebind"),
        (3, 1, "b", "refuse"),
        (2, 9, "a", "refuse"),
        (3, 2, "b", "refuse"),  # the same delivery to two workers: the first one has it
    ],
)
def test_a_newer_holder_is_let_in_and_only_the_same_worker_keeps_its_connection(
    dispatch: int, delivery: int, worker: str, expected: Admission
) -> None:
    assert admit(NOW, Holder(dispatch=dispatch, delivery=delivery, worker=worker)) == expected


def test_the_first_holder_gets_a_connection() -> None:
    assert admit(None, NOW) == "rebind"


@pytest.mark.parametrize(("age", "live"), [(0, True), (14.9, True), (15, False), (-5, True)])
def test_a_session_lives_for_three_heartbeats_after_its_host_was_heard(age: float, live: bool) -> None:
    row = SessionRow(run="r", name="main", host="h", seen_at=1000.0)
    assert is_live(row, 1000.0 + age, heartbeat=5.0) is live


@pytest.mark.parametrize(
    ("text", "count", "index"),
    [
        ("0/2", 2, 0),
        ("1/2", 2, 1),
        ("0/2", 3, None),
        ("0/2", 1, None),
        ("", 1, None),
        (None, 1, None),
        ("x/1", 1, None),
    ],
)
def test_a_chosen_page_is_found_again_unless_pages_came_or_went(
    text: str | None, count: int, index: int | None
) -> None:
    assert chosen_index(text, count) == index


def test_a_choice_is_read_as_it_was_written() -> None:
    assert chosen_index(choice_text(1, 3), 3) == 1
