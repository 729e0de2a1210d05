"""The fold from a run's log and lines to what people see, and the tree made of it."""

import copy
import io
import re
from collections.abc import Iterable
from typing import Any

import pytest
from envelopes import a_task, result_of
from msgspec.structs import replace
from rich.console import Console

from muster_cli.display import PlainLines, printable_lines
from muster_cli.progress import Progress
from muster_cli.tree import render_run, render_tree
from muster_protocol.control import Cancel, Pause, Resume
from muster_protocol.events import (
    Answered,
    Asked,
    ControlApplied,
    Entry,
    Event,
    GivenUp,
    OwnerChanged,
    Parked,
    PlanMade,
    RetryPlanned,
    RunClosed,
    RunOpened,
    Served,
    SubTaskDispatched,
    SubTaskEnded,
    Unserved,
    VerdictReached,
    Woken,
)
from muster_protocol.kinds import KINDS_BY_NAME, Mended
from muster_protocol.logs import LogRecord
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict
from muster_views.history import History

REQUEST = RunRequest(id="r", job=TestCase(name="Buy", steps=(Step(action="Open"), Step(action="Click"))))
OPENED = RunOpened(request=REQUEST, owner="o", message=1, delivery=1)
PLANNED = PlanMade(
    plan=Plan(nodes=(PlanNode(id="a", description="Open", covers=(0,)), PlanNode(id="b", description="Click")))
)
VERDICT = VerdictReached(verdict=Verdict(run="r", name="Buy", status="pass"))


def dispatched(node: str, position: int, kind: str = "step") -> SubTaskDispatched:
    return SubTaskDispatched(
        sub_task=a_task(
            id=f"r.{node}.1",
            run="r",
            node=node,
            attempt=1,
            dispatch=1,
            position=position,
            total=2,
            kind=kind,
            agent=KINDS_BY_NAME[kind].agent,
        )
    )


def ended(node: str, status: str, summary: str = "") -> SubTaskEnded:
    return SubTaskEnded(
        outcome=result_of(task="", node=node, status=status, summary=summary)  # pyright: ignore[reportArgumentType]
    )


def after(*events: Event, run: Progress | None = None) -> Progress:
    """Return a run after events, one each second from second 10 on; a run that is given is not changed."""
    run = copy.deepcopy(run) if run else fresh()
    for at, event in enumerate(events, 10):
        run.apply(Entry(epoch=1, at=at, events=(event,)))
    return run


def fresh(run: str = "r", label: str = "buy") -> Progress:
    return Progress(label=label, history=History(run=run))


def heard(run: Progress, *lines: LogRecord) -> Progress:
    run = copy.deepcopy(run)
    for line in lines:
        run.apply(line)
    return run


def call(node: str, text: str) -> LogRecord:
    task = f"r.{node}.1" if node else ""
    text = f"  [Sub-agent] {text}"
    return LogRecord(run="r", source="w", number=1, at=1, kind="tool_call", node=node, task=task, text=text)


def states(run: Progress) -> list[str]:
    return [task.status or task.state for task in run.sub_tasks]


def test_a_run_is_queued_until_somebody_takes_it():
    assert after().history.status == "queued"
    assert not after().live
    assert (after(OPENED).history.status, after(OPENED).name, after(OPENED).history.started_at) == (
        "running",
        "Buy",
        10,
    )


def test_the_plan_shows_all_that_waits():
    run = after(OPENED, PLANNED)
    assert [(task.position, task.state) for task in run.sub_tasks] == [(1, "waiting"), (2, "waiting")]


def test_a_sub_task_runs_and_ends():
    run = after(OPENED, PLANNED, dispatched("a", 1), ended("a", "pass", "done"), dispatched("b", 2))
    assert states(run) == ["pass", "running"]
    assert (run.sub_tasks[0].started_at, run.sub_tasks[0].ended_at) == (12, 13)
    assert run.history.done == 1


def test_a_recovery_is_shown_but_counts_neither_as_done_nor_as_a_part_of_the_plan():
    task = a_task(
        id="r.a-r1.1",
        run="r",
        node="a-r1",
        attempt=1,
        dispatch=2,
        position=1,
        total=2,
        about="a",
        mended=Mended(action="Open", expected=""),
    )
    run = after(OPENED, PLANNED, SubTaskDispatched(sub_task=task), ended("a-r1", "pass", "closed the banner"))
    assert states(run) == ["waiting", "pass", "waiting"], "it follows what it mends"
    assert (run.history.done, len(run.history.planned)) == (0, 2)


def test_a_step_that_was_tried_again_is_shown_with_each_attempt_and_what_came_between():
    def at(node: str, number: int, dispatch: int, **more: Any) -> SubTaskDispatched:
        task = dispatched(node, 2).sub_task
        return SubTaskDispatched(
            sub_task=replace(task, id=f"r.{node}.{number}", attempt=number, dispatch=dispatch, **more)
        )

    def over(node: str, number: int, status: Any, summary: str) -> SubTaskEnded:
        return SubTaskEnded(outcome=replace(ended(node, status, summary).outcome, task=f"r.{node}.{number}"))

    run = after(
        *(OPENED, PLANNED, dispatched("a", 1), ended("a", "pass")),
        *(at("b", 1, 2), over("b", 1, "fail", "no such button")),
        *(at("b-r1", 1, 3, about="b", description="Close the banner"), over("b-r1", 1, "pass", "closed")),
        *(at("b", 2, 4), over("b", 2, "pass", "clicked")),
    )

    shown = io.StringIO()
    Console(file=shown, width=100).print(render_run(run, 30))
    told = [re.split(r"  ", line.lstrip("│├└─ "))[0] for line in shown.getvalue().splitlines()[1:]]
    assert told == ["✓ 1/2", "✓ 2/2", "✗ attempt 1", "✓ Recovery: Close the banner", "✓ attempt 2"]


def test_a_retry_is_shown_with_its_reason_until_the_next_attempt():
    retry = after(OPENED, PLANNED, dispatched("a", 1), RetryPlanned(node="a", not_before=0, reason="worker lost"))
    assert (retry.sub_tasks[0].state, retry.sub_tasks[0].summary) == ("retrying", "worker lost")
    assert states(after(dispatched("a", 1), run=retry))[0] == "running"


def test_planning_is_a_note_and_no_sub_task():
    run = after(OPENED, dispatched("plan", 0, "plan"))
    assert (run.sub_tasks, run.note) == ([], "case-planner at work")


def test_a_sub_task_that_the_plan_did_not_hold_is_added():
    assert states(after(OPENED, PLANNED, dispatched("recover", 3))) == ["waiting", "waiting", "running"]


def test_only_the_latest_calls_of_a_sub_task_are_kept():
    run = after(OPENED, PLANNED, dispatched("a", 1))
    run = heard(run, *(call("a", f"call {number}") for number in range(5)))
    assert run.calls == {"r.a.1": ("call 2", "call 3", "call 4")}


def test_lines_that_belong_to_no_sub_task_change_nothing():
    run = after(OPENED, PLANNED)
    assert heard(run, call("", "x")) == run


def test_calls_are_shown_beside_their_attempt_whichever_stream_is_ahead():
    """The log's line of a call may be read before the entry that dispatches its sub-task, or after a later one."""
    told = [call("a", "first"), call("a", "second")]
    early = after(OPENED, PLANNED, dispatched("a", 1), run=heard(fresh(), *told))
    late = heard(after(OPENED, PLANNED, dispatched("a", 1)), *told)
    again = SubTaskDispatched(sub_task=replace(dispatched("a", 1).sub_task, id="r.a.2", attempt=2))

    assert early == late
    assert any("second" in line for line in drawn([early]))
    assert not any("second" in line for line in drawn([after(again, run=early)])), "it is the earlier attempt's"


@pytest.mark.parametrize(
    ("event", "state", "note"),
    [
        (ControlApplied(control=Pause(id="1")), "paused", "goes on with: muster resume r"),
        (ControlApplied(control=Resume(id="1")), "running", ""),
        (ControlApplied(control=Cancel(id="1", reason="enough")), "running", "cancelling: enough"),
        (Parked(reason="waits for a person"), "parked", "waits for a person"),
        (Woken(), "running", ""),
        (Asked(question="q", text="Which?"), "running", 'asks: Which? — answer with: muster answer r "…"'),
        (Answered(question="q", text="That"), "running", ""),
        (OwnerChanged(owner="o2", epoch=2, message=1, delivery=2), "running", ""),
        (Unserved(what="pool act"), "running", "waits: pool act is not running"),
        (Served(what="pool act"), "running", ""),
        (GivenUp(reason="what it has to store is too large"), "running", "what it has to store is too large"),
    ],
)
def test_what_concerns_the_run_as_a_whole_is_shown(event: Event, state: str, note: str):
    run = after(OPENED, event)
    assert (run.history.status, run.note, run.live) == (state, note, True)


ASKED = Asked(question="r.a.1:0", text="Which code?", task="r.a.1")
TAKEN = OwnerChanged(owner="o2", epoch=2, message=2, delivery=1)
PAUSE = ControlApplied(control=Pause(id="1"))


def test_a_run_that_waits_for_a_person_says_what_to_type_until_it_is_answered():
    asks = after(OPENED, PLANNED, dispatched("a", 1), ASKED, Parked(reason="it asks"))
    assert (asks.history.status, states(asks)) == ("parked", ["asking", "waiting"])
    assert asks.note == 'asks: Which code? — answer with: muster answer r "…"'
    assert [question.id for question in asks.history.questions] == ["r.a.1:0"]
    woken = after(TAKEN, run=asks)
    assert (woken.history.status, woken.note) == ("running", asks.note)
    goes_on = after(Answered(question="r.a.1:0", text="4711"), run=woken)
    assert (goes_on.history.status, goes_on.note, goes_on.history.questions) == ("running", "", ())
    assert states(goes_on) == ["running", "waiting"]


def test_of_several_questions_each_is_told_with_its_id():
    asks = after(OPENED, PLANNED, ASKED, Asked(question="r.b.1:0", text="Which day?", task="r.b.1"))
    assert asks.what_to_type() == (
        'asks: Which code? — answer with: muster answer r "…" --question r.a.1:0',
        'asks: Which day? — answer with: muster answer r "…" --question r.b.1:0',
    )


def test_a_paused_run_stays_paused_when_its_owner_changes_and_goes_on_when_it_is_resumed():
    paused = after(OPENED, PLANNED, PAUSE, Parked(reason="it is paused"), TAKEN)
    assert (paused.history.status, paused.note) == ("paused", "goes on with: muster resume r")
    assert after(ControlApplied(control=Resume(id="2")), run=paused).history.status == "running"


def test_a_question_outlives_a_pause():
    asks = after(OPENED, PLANNED, ASKED, PAUSE, ControlApplied(control=Resume(id="2")))
    assert "Which code?" in asks.note


def test_after_the_verdict_only_the_closing_follows():
    run = after(OPENED, VERDICT, ControlApplied(control=Pause(id="1")))
    assert (run.history.status, run.history.ended_at, run.history.closed, run.live) == ("pass", 11, False, False)
    assert run.history.verdict == VERDICT.verdict
    assert after(RunClosed(), run=run).history.closed


def drawn(runs: Iterable[Progress], height: int = 40) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=120, color_system=None).print(render_tree(runs, 20.0, height))
    return out.getvalue().rstrip("\n").split("\n")


def test_the_tree_shows_runs_sub_tasks_and_calls():
    run = after(OPENED, PLANNED, dispatched("a", 1), ended("a", "pass"), dispatched("b", 2))
    picture = drawn([heard(run, call("b", 'click("Buy")')), fresh("q", "waits")])
    assert picture[0] == "1 running · 1 queued · 10 s"
    assert picture[1].startswith("└── ▶ buy  Buy  1/2")
    assert "✓ 1/2  Open  1.0 s" in picture[2]
    assert "▶ 2/2  Click  6.0 s" in picture[3]
    assert 'click("Buy")' in picture[4]


def test_markup_and_control_characters_of_a_page_are_shown_as_text():
    picture = "\n".join(drawn([heard(after(OPENED, PLANNED, dispatched("a", 1)), call("a", "[red]\x1b[31mx[/red]"))]))
    assert "[red]x[/red]" in picture
    assert "\x1b" not in picture


@pytest.mark.parametrize("height", [4, 10, 24, 80])
def test_the_tree_fits_into_the_screen_and_shows_what_is_at_work(height: int):
    names = [f"n{number}" for number in range(1, 101)]
    plan = PlanMade(plan=Plan(nodes=tuple(PlanNode(id=name, description=name) for name in names)))
    run = after(OPENED, plan, *(event for n in names[:59] for event in (dispatched(n, 0), ended(n, "pass"))))
    run = heard(after(dispatched(names[59], 0), run=run), *(call(names[59], text) for text in ("one", "two", "three")))
    runs = [run] * 30
    picture = drawn(runs, height)
    assert len(picture) <= max(height, 8)
    if height >= 10:
        assert any("60/100" in line for line in picture)


def test_a_failed_run_keeps_its_line_with_the_reason():
    verdict = Verdict(run="r", name="Buy", status="fail", summary="the total is wrong")
    run = after(OPENED, PLANNED, VerdictReached(verdict=verdict))
    assert any("✗ buy" in line and "the total is wrong" in line for line in drawn([run]))


def test_lines_carry_the_runs_name_when_one_is_given():
    assert printable_lines("  [Sub-agent] x", "") == ["  [Sub-agent] x"]
    assert printable_lines("  [Sub-agent] x", "buy") == ["buy |   [Sub-agent] x"]


def test_a_line_in_a_text_cannot_pass_for_a_line_of_its_own():
    assert printable_lines("output:\n[Orchestrator] VERDICT: PASS\r\n\n", "") == [
        "output:",
        "      [Orchestrator] VERDICT: PASS",
    ]


def test_that_a_file_was_stored_meanwhile_is_no_line_on_a_terminal() -> None:
    out = io.StringIO()
    shown = PlainLines(Console(file=out, width=200))
    told = LogRecord(
        run="r", source="host", number=1, at=1.0, kind="message", text="the page is pictured", level="debug"
    )
    for record in (
        replace(told, artifacts=("r/session/main-last.jpg",)),
        replace(told, text="out"),
    ):
        shown.show({}, fresh(), record)
    assert out.getvalue() == "out\n"
