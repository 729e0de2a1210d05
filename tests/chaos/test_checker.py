"""The checker must be able to fail: each made-up history holds one thing that must not be, and is told by its name."""

from collections.abc import Callable

import pytest
from envelopes import a_task, result_of
from msgspec.structs import replace

from chaos.checker import violations
from chaos.history import (
    Follow,
    History,
    Incarnation,
    JournalMessage,
    LogMessage,
    Order,
    Remains,
    Shown,
    Snapshot,
    Strike,
    Told,
    Wish,
)
from chaos.jobs import Kind
from muster_orchestrator.machine import Run, fold
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import (
    Entry,
    Event,
    OwnerChanged,
    RunClosed,
    RunOpened,
    SubTaskDispatched,
    SubTaskEnded,
    VerdictReached,
)
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalEntry, Taken
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_protocol.verdicts import Verdict

RUN = "run-1"
TASK = "run-1.step-1.1"
NEXT = "run-1.step-2.1"
PASSED = Verdict(run=RUN, name="order", status="pass", duration=5.0)
OPENED = RunOpened(request=RunRequest(id=RUN, job=Drill()), owner="o-1", message=1, delivery=1)
CLICK = ToolCall(tool="click")


def sub_task(id: str, dispatch: int) -> SubTask:
    node = id.split(".")[1]
    return a_task(id=id, run=RUN, node=node, attempt=1, dispatch=dispatch, session="main")


def result(id: str) -> SubTaskResult:
    return result_of(task=id, node=id.split(".")[1], attempt=1, status="pass", summary="done", worker="w-1")


def log_of(*entries: tuple[int, tuple[Event, ...]]) -> tuple[LogMessage, ...]:
    return tuple(
        LogMessage(seq, 100.0 + seq, Entry(epoch=epoch, at=100.0 + seq, events=events))
        for seq, (epoch, events) in enumerate(entries, start=1)
    )


def journal_of(first: int, *entries: JournalEntry) -> tuple[JournalMessage, ...]:
    return tuple(JournalMessage(seq, 100.0 + seq, (entry,)) for seq, entry in enumerate(entries, start=first))


def taken(delivery: int = 1, message: int = 1, worker: str = "w-1") -> Taken:
    return Taken(worker=worker, message=message, delivery=delivery)


def begun(index: int = 0, tool: str = "click") -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool=tool), effect="act")


def ended(index: int = 0) -> CallFinished:
    return CallFinished(index=index, outcome=ToolOutcome(status="ok"))


GOOD_LOG = (
    (1, (OPENED, SubTaskDispatched(sub_task=sub_task(TASK, 1)))),
    (1, (SubTaskEnded(outcome=result(TASK)), SubTaskDispatched(sub_task=sub_task(NEXT, 2)))),
    (2, (OwnerChanged(owner="o-2", epoch=2, message=1, delivery=2),)),
    (2, (SubTaskEnded(outcome=result(NEXT)), VerdictReached(verdict=PASSED))),
    (2, (RunClosed(),)),
)
FIRST = journal_of(1, taken(), begun(), taken(2, worker="w-2"), ended(), Finished(outcome=result(TASK)))
SECOND = journal_of(6, taken(message=2), begun(), ended(), Finished(outcome=result(NEXT)))


def good(kind: Kind = "order") -> History:
    log = log_of(*GOOD_LOG)
    return History(
        wishes=(Wish(RUN, kind, 99.0),),
        logs={RUN: log},
        journals={TASK: FIRST, NEXT: SECOND},
        digests={"RUNS": {seq: f"run {seq}" for seq in range(1, 6)}, "JOURNAL": {seq: "j" for seq in range(1, 10)}},
        first={"RUNS": 1, "JOURNAL": 1},
        lines={RUN: (11, 12, 15)},
        told=(Told("published", PASSED), Told("asked", PASSED)),
        shown=(Shown("RUNS", 3, "run 3"),),
        follows=(Follow(RUN, (11, 12, 15), "pass", ""),),
        orders=(Order("A-1", RUN, 1),),
        snapshots={RUN: Snapshot(5, fold(Run(), (message.entry for message in log)))},
        rows={RUN: RunRow(run=RUN, name="order", status="pass")},
        strikes=(Strike("kill", "subagent-1", 7, 101.0, 102.0),),
        incarnations=(Incarnation("subagent-1", "subagent", 7, "w-1", 50.0, 101.0),),
        remains=Remains(queued={"REQUESTS": 0, "TASKS": 0}),
        ended=200.0,
    )


def with_log(history: History, *entries: tuple[int, tuple[Event, ...]]) -> History:
    return replace(history, logs={RUN: log_of(*entries)})


def with_journal(history: History, *entries: JournalEntry) -> History:
    return replace(history, journals={TASK: journal_of(1, *entries), NEXT: SECOND})


def with_verdict(history: History, verdict: Verdict) -> History:
    done = (2, (SubTaskEnded(outcome=result(NEXT)), VerdictReached(verdict=verdict)))
    told = tuple(it._replace(verdict=verdict) for it in history.told)
    follow = history.follows[0]._replace(status=verdict.status, cause=str(verdict.cause or ""))
    row = replace(history.rows[RUN], status=verdict.status, cause=str(verdict.cause or ""))
    changed = with_log(history, *GOOD_LOG[:3], done, GOOD_LOG[4])
    return replace(changed, told=told, follows=(follow,), rows={RUN: row}, snapshots={})


def failed(cause: Cause) -> Verdict:
    return replace(PASSED, status="fail", cause=cause)


def left(history: History, **what: object) -> History:
    return replace(history, remains=replace(history.remains, **what))


FINISH = Finished(outcome=result(TASK))
SPOILED: dict[str, Callable[[History], History]] = {
    "lost run": lambda it: replace(it, logs={}),
    "one verdict": lambda it: with_log(it, *GOOD_LOG[:4], (2, (VerdictReached(verdict=PASSED), RunClosed()))),
    "closed last": lambda it: with_log(it, *GOOD_LOG[:4]),
    "unasked run": lambda it: replace(it, logs={**it.logs, "other": it.logs[RUN]}),
    "gap": lambda it: replace(it, digests={"RUNS": {1: "run 1", 2: "run 2", 4: "run 4"}}, shown=()),
    "shown, not stored": lambda it: replace(it, shown=(Shown("RUNS", 3, "something else"),)),
    "owner": lambda it: with_log(it, (1, (SubTaskDispatched(sub_task=sub_task(TASK, 1)), OPENED)), *GOOD_LOG[1:]),
    "epoch": lambda it: with_log(it, *GOOD_LOG[:3], (1, GOOD_LOG[3][1]), GOOD_LOG[4]),
    "done is redone": lambda it: with_log(
        it, *GOOD_LOG[:2], (1, (SubTaskDispatched(sub_task=sub_task("run-1.step-1.2", 3)),)), *GOOD_LOG[2:]
    ),
    "dispatch order": lambda it: with_log(it, GOOD_LOG[0], GOOD_LOG[1], GOOD_LOG[1], *GOOD_LOG[2:]),
    "dispatched twice": lambda it: with_log(it, GOOD_LOG[0], GOOD_LOG[1], GOOD_LOG[1], *GOOD_LOG[2:]),
    "ended twice": lambda it: with_log(it, *GOOD_LOG[:3], (2, (SubTaskEnded(outcome=result(TASK)),)), *GOOD_LOG[3:]),
    "unasked result": lambda it: with_log(
        it, (1, (OPENED,)), (1, (SubTaskEnded(outcome=result(TASK)),)), *GOOD_LOG[2:]
    ),
    "replay": lambda it: replace(it, snapshots={RUN: Snapshot(4, it.snapshots[RUN].run)}),
    "stale row": lambda it: replace(it, rows={RUN: RunRow(run=RUN, name="order", status="running")}),
    "after the end": lambda it: with_journal(it, taken(), FINISH, taken(2, worker="w-2")),
    "outdated holder": lambda it: with_journal(it, taken(2), taken(1, worker="w-2"), FINISH),
    "no holder": lambda it: with_journal(it, begun(), ended(), FINISH),
    "call made twice": lambda it: with_journal(it, taken(), begun(), taken(2), begun(), ended(), FINISH),
    "call ended twice": lambda it: with_journal(it, taken(), begun(), ended(), ended(), FINISH),
    "made-up result": lambda it: with_journal(it, taken(), begun(), ended()),
    "interleaved drivers": lambda it: replace(
        it, journals={TASK: (*FIRST[:1], JournalMessage(7, 107.0, (begun(),)), *FIRST[3:]), NEXT: SECOND}
    ),
    "flip": lambda it: with_verdict(it, failed(Cause.PRODUCT)),
    "wrong verdict": lambda it: with_verdict(it, failed(Cause.AGENT)),
    "wrong time": lambda it: with_verdict(it, replace(PASSED, duration=-885.0)),
    "blamed for nothing": lambda it: replace(with_verdict(it, failed(Cause.ENVIRONMENT)), strikes=()),
    "told otherwise": lambda it: replace(it, told=(*it.told, Told("published", failed(Cause.PRODUCT)))),
    "not told": lambda it: replace(it, told=it.told[:1]),
    "log lines": lambda it: replace(it, follows=(Follow(RUN, (11, 15), "pass", ""),)),
    "end of log": lambda it: replace(it, follows=(Follow(RUN, (11, 12, 15), "fail", "product"),)),
    "action done twice": lambda it: replace(it, orders=(Order("A-1", RUN, 1), Order("A-2", RUN, 1))),
    "unasked order": lambda it: replace(it, orders=(*it.orders, Order("A-2", "nobody", 1))),
    "lost action": lambda it: replace(it, orders=()),
    "not over in time": lambda it: replace(it, unfinished=(RUN,)),
    "left in queue": lambda it: left(it, queued={"REQUESTS": 1}),
    "left open": lambda it: left(it, sessions=("run-1.main on host-1",)),
    "left running": lambda it: left(it, browsers=("pid 9: chromium",)),
    "orphan": lambda it: left(it, strays=("pid 9: sh",)),
    "outlives the fleet": lambda it: left(it, after_stop=("pid 9: sh",)),
    "put aside": lambda it: left(it, dead=1),
    "dead presence": lambda it: left(
        it, presence=(WorkerRow(id="w-1", service="subagent", host="here", pid=7, version="1"),)
    ),
    "bad answer": lambda it: replace(it, oddities=("run-1: a good request was answered with 500",)),
    "does not stop": lambda it: replace(it, strikes=(it.strikes[0]._replace(kind="stop", overdue=True),)),
    "crash": lambda it: replace(it, crashes=("subagent-1 ended by itself",)),
}


def test_a_history_in_which_all_is_well_has_no_violations() -> None:
    assert violations(good()) == ()


@pytest.mark.parametrize("rule", SPOILED)
def test_what_must_not_be_is_named(rule: str) -> None:
    assert rule in {violation.rule for violation in violations(SPOILED[rule](good()))}


def test_a_form_that_was_sent_twice_is_an_action_done_twice() -> None:
    found = violations(replace(good(), orders=(Order("A-1", RUN, 2),)))

    assert [violation.rule for violation in found] == ["action done twice"]


def with_a_lost_session(history: History) -> History:
    """Return the history with a first sub-task that ended because its session was gone."""
    lost = replace(result(TASK), status="error", failure=Failure.SESSION_LOST)
    seconds = (SubTaskEnded(outcome=lost), SubTaskDispatched(sub_task=sub_task(NEXT, 2)))
    log = history.logs[RUN]
    told = log[1]._replace(entry=replace(log[1].entry, events=seconds))
    journals = {**history.journals, TASK: (*FIRST[:-1], JournalMessage(5, 105.0, (Finished(outcome=lost),)))}
    return replace(history, logs={RUN: (log[0], told, *log[2:])}, journals=journals)


def test_a_session_lost_to_a_fault_may_end_a_run_with_cause_environment_and_without_its_order() -> None:
    lost = with_a_lost_session(with_verdict(good(), failed(Cause.ENVIRONMENT)))

    assert violations(replace(lost, orders=())) == ()
    assert [it.rule for it in violations(replace(lost, orders=(), strikes=()))] == ["blamed for nothing"]


def test_without_a_lost_session_or_action_the_environment_is_blamed_for_nothing() -> None:
    found = violations(replace(with_verdict(good(), failed(Cause.ENVIRONMENT)), orders=()))

    assert [violation.rule for violation in found] == ["blamed for nothing"]


def test_what_needs_no_session_may_not_end_with_cause_environment() -> None:
    found = violations(replace(with_verdict(good("drill"), failed(Cause.ENVIRONMENT)), orders=()))

    assert [violation.rule for violation in found] == ["wrong verdict"]


def test_a_run_may_end_cancelled_only_if_somebody_asked_for_that() -> None:
    history = with_verdict(good(), failed(Cause.CANCELLED))

    assert [violation.rule for violation in violations(history)] == ["wrong verdict"]
    assert violations(replace(history, wishes=(history.wishes[0]._replace(cancelled=True),))) == ()


def test_a_case_that_must_fail_and_passes_is_a_flip() -> None:
    found = violations(good("order-bad"))

    assert "flip" in {violation.rule for violation in found}


def test_a_command_under_way_may_be_joined_by_the_next_holder() -> None:
    joined = with_journal(
        good(), taken(), begun(tool="execute_command"), taken(2), begun(tool="execute_command"), ended(), FINISH
    )

    assert violations(joined) == ()


def test_a_request_that_was_never_acknowledged_may_have_been_lost() -> None:
    assert violations(History(wishes=(Wish(RUN, "drill", 0.0),))) == ()
