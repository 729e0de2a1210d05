"""A sub-task's journal: who holds it, and that what was noted is written once, in order, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journal_entries import FINISHED, REPLY, SUSPENDED, after, came_back, started, taken

from muster_protocol.journal import (
    JournalEntry,
    Released,
    Revoked,
)
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.task_journal import Progress, Standing, progressed, standing


def test_progress_is_all_that_was_started_came_back_and_was_replied():
    progress = after(taken(), started(0), came_back(0), started(1), REPLY)

    assert set(progress.started) == {0, 1}
    assert progress.outcomes == {0: ToolOutcome(status="ok", text="call 0")}
    assert (progress.replies, progress.finished) == ((REPLY,), None)
    assert after(taken(), FINISHED).finished == FINISHED


def test_the_first_message_stands_for_the_sub_task_and_the_newest_delivery_holds_it():
    progress = after(taken(1), taken(2), taken(4))

    assert (progress.message, progress.delivery) == (7, 4)


def test_whoever_takes_it_has_a_higher_number_than_all_before_also_after_a_question_was_answered():
    entries = [taken(1), taken(4), SUSPENDED, taken(1, message=8), taken(2, message=8), taken(9, message=8)]

    assert [after(*entries[: end + 1]).holders for end in range(len(entries))] == [1, 4, 4, 5, 6, 9]


@pytest.mark.parametrize("entry", [started(), came_back(), REPLY, Released(), FINISHED, SUSPENDED])
def test_takeovers_count_as_barren_until_anything_else_is_written(entry: JournalEntry):
    assert after(taken(1), taken(2), taken(3)).barren == 3
    assert after(taken(1), taken(2), entry).barren == 0
    assert after(taken(1), entry, taken(2)).barren == 1


@pytest.mark.parametrize(
    ("progress", "message", "delivery", "expected"),
    [
        (after(), 7, 1, Standing.MINE),
        (after(), 7, 3, Standing.MINE),
        (after(taken(1)), 7, 2, Standing.MINE),
        (after(taken(1), Released()), 7, 2, Standing.MINE),
        (after(taken(1)), 7, 1, Standing.OUTDATED),
        (after(taken(3)), 7, 2, Standing.OUTDATED),
        (after(taken(1)), 8, 1, Standing.COPY),
        (after(taken(1)), 6, 9, Standing.COPY),
        (after(taken(1), FINISHED), 7, 2, Standing.FINISHED),
        (after(taken(1), FINISHED), 8, 1, Standing.FINISHED),
        (after(taken(1), SUSPENDED), 7, 2, Standing.COPY),
        (after(taken(1), SUSPENDED), 8, 1, Standing.MINE),
        (after(taken(3), SUSPENDED, taken(1, message=8)), 8, 2, Standing.MINE),
        (after(taken(3), SUSPENDED, taken(1, message=8)), 8, 1, Standing.OUTDATED),
        (after(taken(3), SUSPENDED, taken(1, message=8)), 7, 9, Standing.COPY),
        (after(taken(3), SUSPENDED, taken(1, message=8)), 9, 1, Standing.COPY),
        (after(taken(1), SUSPENDED, taken(1, message=8), FINISHED), 8, 2, Standing.FINISHED),
        (after(taken(1), Revoked()), 7, 2, Standing.FINISHED),
        (after(Revoked()), 7, 1, Standing.FINISHED),
        (after(taken(1), SUSPENDED, Revoked()), 8, 1, Standing.FINISHED),
    ],
)
def test_what_a_delivery_amounts_to(progress: Progress, message: int, delivery: int, expected: Standing):
    assert standing(progress, message, delivery) is expected


@given(st.lists(st.integers(1, 6), max_size=8), st.integers(1, 6))
def test_only_a_delivery_newer_than_all_that_took_it_can_take_it(before: list[int], delivery: int):
    progress = Progress()
    for number in before:
        if standing(progress, 7, number) is Standing.MINE:
            progress = progressed(progress, taken(number))

    assert (standing(progress, 7, delivery) is Standing.MINE) == (delivery > max(before, default=0))
