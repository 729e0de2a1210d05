"""The history of a sub-task that costs one worker after another."""

from datetime import UTC, datetime

from muster_protocol.journal import CallStarted, Released, Taken
from muster_protocol.tool_calls import ToolCall
from muster_subagent.dead_tasks import Written, takeovers

NOON = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)


def taken(worker: str, delivery: int) -> Written:
    return Written(Taken(worker=worker, message=1, delivery=delivery), NOON)


def test_each_holder_has_a_line_with_its_delivery_and_its_moment():
    assert takeovers([taken("worker-a", 1), taken("worker-b", 2)]) == (
        "2026-01-02 12:00:00 UTC: worker-a took it (delivery 1)",
        "2026-01-02 12:00:00 UTC: worker-b took it (delivery 2)",
    )


def test_holders_before_the_last_progress_are_no_part_of_it():
    called = Written(CallStarted(index=0, call=ToolCall(tool="read"), effect="read"), NOON)
    released = Written(Released(), NOON)

    assert takeovers([taken("a", 1), called, taken("b", 2)]) == ("2026-01-02 12:00:00 UTC: b took it (delivery 2)",)
    assert takeovers([taken("a", 1), released]) == ()
