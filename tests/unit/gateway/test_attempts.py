"""What an attempt's journal tells of it."""

from muster_gateway.fleet.dead_letter_routes import MOST, is_cursor
from muster_gateway.nodes.journals import Noted
from muster_gateway.nodes.node_attempts import with_journal
from muster_gateway.nodes.views import AttemptView
from muster_protocol.journal import CallStarted, Taken
from muster_protocol.tool_calls import ToolCall


def calling(at: float) -> Noted:
    return Noted(at, CallStarted(index=0, call=ToolCall(tool="browser_click"), effect="act"))


def taken(at: float, delivery: int) -> Noted:
    return Noted(at, Taken(worker=f"w{delivery}", message=1, delivery=delivery, at=5.0))


def test_a_call_that_was_under_way_when_another_worker_took_over_has_an_unknown_outcome() -> None:
    view = with_journal(AttemptView(task="r.n.1", attempt=1), [taken(10, 1), calling(11), taken(40, 2)])

    assert [(one.worker, one.at) for one in view.takers] == [("w1", 10), ("w2", 40)]
    assert [call.status for call in view.calls] == ["unknown"]


def test_a_call_of_the_worker_that_holds_the_sub_task_is_under_way() -> None:
    view = with_journal(AttemptView(task="r.n.1", attempt=1), [taken(10, 1), taken(40, 2), calling(41)])

    assert [call.status for call in view.calls] == ["running"]


def test_only_numbers_that_a_stream_can_have_are_cursors_of_dead_letters() -> None:
    assert is_cursor("1")
    assert is_cursor(str(MOST))
    for text in ("", "0", "-1", "1.5", "x", "²", "٣", str(MOST + 1), "9" * 5000):
        assert not is_cursor(text), text[:20]
