"""The history of a sub-task that one worker after another takes and does not keep."""

from datetime import UTC, datetime, timedelta

from muster_protocol.journal import CallStarted, Released, Taken
from muster_protocol.tool_calls import ToolCall
from muster_subagent.dead_tasks import Written, lost_holders

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def taken(worker: str, delivery: int) -> Written:
    return Written(Taken(worker=worker, message=1, delivery=delivery), NOON + timedelta(minutes=delivery))


def lines(*written: Written) -> tuple[str, ...]:
    return tuple(holder.line for holder in lost_holders(written, {}))


def test_each_holder_but_the_newest_has_a_line_with_its_delivery_and_its_moment():
    assert lines(taken("worker-a", 1), taken("worker-b", 2), taken("worker-c", 3)) == (
        "2026-01-02 12:01:00 UTC: worker-a took it (delivery 1)",
        "2026-01-02 12:02:00 UTC: worker-b took it (delivery 2)",
    )


def test_holders_before_the_last_progress_are_no_part_of_it():
    called = Written(CallStarted(index=0, call=ToolCall(tool="read"), effect="read"), NOON)
    released = Written(Released(), NOON)

    assert lines(taken("a", 1), called, taken("b", 2), taken("c", 3)) == (
        "2026-01-02 12:02:00 UTC: b took it (delivery 2)",
    )
    assert lines(taken("a", 1), taken("b", 2), released) == ()


def test_a_holder_lives_if_it_was_seen_after_another_took_it():
    replaced = (NOON + timedelta(minutes=2)).timestamp()
    written = [taken("a", 1), taken("b", 2)]

    def lives(seen: dict[str, float]) -> bool:
        return lost_holders(written, seen)[0].lives

    assert lives({"a": replaced + 0.1})
    assert not lives({"a": replaced - 0.1})
    assert not lives({"b": replaced + 9.0})
