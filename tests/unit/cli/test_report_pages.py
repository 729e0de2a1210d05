"""A run's page, made of a made-up log and journals: what a reader looks for is there. All pure."""

import json
from typing import Any

from html_words import words_of
from shown_runs import (
    PICTURE,
    PLANNED,
    RECOVERED,
    RUN,
    TRACE,
    check,
    log,
    outcome,
    page,
    result,
    sub_task,
    task,
    tried,
)

from muster_protocol import events
from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Cancel
from muster_protocol.events import Event
from muster_protocol.facts import Act, Capture
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalEntry, ModelReplied, Taken
from muster_protocol.kinds import StepOutput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.sessions import SessionRef
from muster_protocol.step_recordings import Described, RecordedCall, Replay
from muster_protocol.tool_calls import ToolCall, ToolOutcome
from muster_views.history import events_in
from muster_views.html import build_page
from muster_views.html import render_run as html_of
from muster_views.journal_moments import TimedEntry
from muster_views.material import Material
from muster_views.messages import list_messages
from muster_views.outcome import CaseOutcome
from muster_views.texts import format_duration, format_usage
from muster_views.words import CAUSES


def test_the_plan_stands_as_written_with_its_sub_tasks_below_each_step():
    made = page()
    told = [([one.label for one in group.written] or group.label, len(group.sub_tasks)) for group in made.groups]
    assert told == [(["Precondition"], 1), (["Step 1"], 2), ("Added by the planner", 1), (["Step 2"], 1)]
    assert made.groups[1].note == "split into 2 sub-tasks"
    assert made.plan_note == "1 precondition and 2 written steps, 5 sub-tasks: 1 step split, 1 added"
    assert made.groups[1].sub_tasks[0].node.title == 'Open "http://shop/cart"'


def test_a_recovery_stands_between_the_attempts_it_made_possible():
    pay = sub_task(page(), "Pay")
    assert [(one.label, one.result.status) for one in pay.attempts] == [
        ("", "fail"),
        ("Evaluation", "pass"),
        ("Recovery", "pass"),
        ("", "pass"),
    ]
    shown = words_of(html_of(page()))
    assert "decision recover reason a tool is missing recovery Install the tool" in shown
    assert (pay.state, pay.node.badges, pay.node.source) == ("pass", ("recovered",), "model")


def test_a_retry_says_why_it_was_needed():
    waited = sub_task(page(), "Wait for")
    assert [one.retried for one in waited.attempts] == ["the worker was lost", ""]
    assert waited.node.badges == ("retried",)


def test_a_clause_has_its_evidence_and_one_without_counts_as_unproven():
    pay = sub_task(page(), "Pay").attempts[-1]
    assert [(clause.text, clause.state) for clause in pay.clauses] == [
        ('The text "Paid" is visible', "proven"),
        ('"Total" is "$5"', "open"),
    ]
    assert pay.clauses[1].evidence[0].note == "made before the last action, so it does not count"
    shown = words_of(html_of(page()))
    assert 'check_text( text="Paid")' in shown and "seen Paid!" in shown
    assert "No check was made for this clause." in shown


def test_numbers_of_a_sub_task_are_told():
    shown = words_of(html_of(page()))
    for text in ("source model", "iterations 4", "tool calls 3", "tokens in / out 3,000 / 200", "worker worker-a"):
        assert text in shown
    assert format_usage(sub_task(page(), "Pay").usage) == "3,200 tokens, cost 0.0123"


def test_a_heal_stands_in_its_sub_task_as_a_diff_with_the_picture_of_where_it_missed():
    old, new = (
        RecordedCall(tool="click", effect="act", target=Described(role="button", name=name)) for name in ("Send", "Go")
    )
    missed = Replay(
        key="step-1", digest="d", miss="none", why="it is gone", left=(old,), done=(new,), pictures=(PICTURE,)
    )
    ended = result("s1", source="model", output=StepOutput(replay=missed))
    made = page(log(*PLANNED, *tried(task("s1"), ended)))
    told = words_of(html_of(made))
    assert "The recording missed (none)" in told
    assert "why it is gone policy propose" in told
    assert '- click button "Send" + click button "Go"' in told
    assert [file.path for file in made.pictures] == ["artifacts/x/left.png"], "the other one stands at the heal"


def test_a_claim_that_the_run_did_not_accept_is_told_as_such():
    refused = result("s1", "fail", failure=Failure.NO_EVIDENCE)
    made = page(outcome=outcome("fail", Cause.AGENT, failed_node="s1", results=(refused,)))
    opened = sub_task(made, "Open")
    assert (opened.state, opened.node.badges) == ("fail", ("claim refused",))
    assert opened.attempts[0].refused == "Its worker claimed pass; the run did not accept that."
    assert made.failure[-1].text == "a pass was claimed without evidence for every clause"


def test_a_plan_that_was_refused_and_what_else_happened_is_told():
    session = SessionRef(run=RUN, name="main", kind="local", host="host-1", capabilities=("sandbox",))
    made = page(
        log(
            events.SessionOpened(session=session),
            events.PlanRefused(reasons=("step 2 is covered by no sub-task",)),
            events.OwnerChanged(owner="o2", epoch=2, message=1, delivery=2),
            events.ControlApplied(control=Cancel(id="c", reason="too slow", by="ci")),
        )
    )
    assert [(format_duration(one.at - made.started_at), one.text, one.bad) for one in made.events] == [
        ("500 ms", "Session main opened on host-1", False),
        ("1.0 s", "The plan was refused: step 2 is covered by no sub-task", True),
        ("1.5 s", "Orchestrator o2 took the run over (owner number 2)", True),
        ("2.0 s", "Asked to cancel by ci: too slow", False),
    ]
    assert made.plan_note == "There is no plan."
    assert [(group.written[0].label, group.state) for group in made.groups] == [
        ("Step 1", "skipped"),
        ("Step 2", "skipped"),
    ]


def journal(*entries: JournalEntry) -> dict[str, tuple[TimedEntry, ...]]:
    return {f"{RUN}.s1.1": noted(Taken(worker="worker-a", message=1, delivery=1), *entries)}


def noted(*entries: JournalEntry) -> tuple[TimedEntry, ...]:
    return tuple(TimedEntry(0.0, entry) for entry in entries)


def called(index: int, tool: str, effect: Any = "act", **arguments: Any) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool=tool, arguments=arguments), effect=effect)


def test_calls_and_their_pictures_stand_in_the_sub_task_that_made_them():
    told = ToolOutcome(status="ok", text="Clicked it", duration_ms=1_234, artifacts=(PICTURE,))
    made = page(journals=journal(called(0, "click", element="Buy"), CallFinished(index=0, outcome=told)))
    assert 'click( element="Buy") act Clicked it' in words_of(html_of(made))
    assert html_of(made).count('src="artifacts/s1/shot.png"') == 1


def test_a_models_reply_is_called_by_what_it_asked_for():
    asked = json.dumps({"content": None, "tool_calls": [{"function": {"name": "finish", "arguments": '{"a":1}'}}]})
    replies = (ModelReplied(index=0, reply=asked), ModelReplied(index=1, reply="RESULT: PASS"))
    shown = words_of(html_of(page(journals=journal(*replies))))
    assert "Model: finish requested finish( a=1)" in shown and "Model replied RESULT: PASS" in shown


def test_the_page_tells_the_largest_question_and_what_one_conversation_would_have_sent():
    sizes = {"s1": (900, 1_200), "s2": (1_000,)}
    journals = {
        f"{RUN}.{node}.1": noted(
            *(ModelReplied(index=at, reply="{}", input_tokens=size, output_tokens=50) for at, size in enumerate(asked))
        )
        for node, asked in sizes.items()
    }
    shown = words_of(html_of(page(journals=journals)))
    assert "largest question 1,200 tokens in one conversation about 3,450 tokens in, 1.1 times as many" in shown
    assert "largest question" not in words_of(html_of(page()))


def test_the_page_draws_who_said_what_to_whom_and_how_long_each_took():
    made = page(messages=list_messages(events_in(RECOVERED)))
    assert made.chart.parties[:2] == ("requester", "orchestrator")
    answer = next(one for one in made.chart.arrows if one.answers)
    assert (answer.way, answer.ended) == ("left", "pass, 0.5 s")
    drawn = html_of(made)
    assert drawn.count('class="arrow ') == len(made.chart.arrows) == len(list_messages(events_in(RECOVERED)))
    assert "<h2>Messages</h2>" not in html_of(page())


def test_the_page_lists_shared_values_with_who_set_them_from_what_and_when():
    origin = Capture(name="code", source="output", tool="remember", by="phrase")
    kept = result("s3", captured={"code": "4711"}, captures=(origin,))
    shown = words_of(html_of(page(log(*PLANNED, *tried(task("s3"), kept)))))
    assert "base http://shop case 0 s" in shown
    assert "code 4711 phrase, sub-task 5 a command's output (remember) 1.5 s" in shown


def test_a_takeover_shows_at_the_sub_task():
    made = page(journals=journal(called(0, "execute_command"), Taken(worker="worker-b", message=1, delivery=2)))
    assert sub_task(made, "Open").node.badges == ("taken over", "unverified")
    assert "Taken over by worker-b (delivery 2)" in words_of(html_of(made))


def test_a_look_is_shown_with_its_question_and_quote():
    question = "Is the dashboard laid out as it should be, with nothing covering anything else?"
    arguments = json.dumps({"question": question, "quote": "Welcome", "source": "snapshot"})
    seen = check("The shop is open", 1, check="look", arguments=arguments)
    shown = words_of(html_of(page(log(*PLANNED, *tried(task("p1"), result("p1", evidence=(seen,)))))))
    assert f'look( quote="Welcome", source="snapshot") question {question}' in shown


def test_without_a_journal_what_a_model_did_is_taken_from_the_result():
    acts = (Act(call=0, tool="click", arguments='{"element":"Buy"}'),)
    entries = log(*PLANNED, *tried(task("s1"), result("s1", acts=acts)))
    shown = words_of(html_of(page(entries)))
    assert "The journal no longer exists" in shown and 'click( element="Buy")' in shown


def test_pictures_stand_on_the_page_and_other_files_are_linked():
    html = html_of(page(log(*PLANNED, events.RunClosed(artifacts=(TRACE,))), journals={}))
    assert '<img src="artifacts/x/left.png"' in html
    assert '<a href="artifacts/session/main-trace.zip">main-trace.zip</a> <small>1.2 MB</small>' in html
    assert "playwright show-trace artifacts/session/main-trace.zip" in html
    assert "base64" not in html.partition("<style>")[2]


def test_a_fail_says_what_was_expected_seen_where_and_why_it_has_this_cause():
    failed = result("s1", "fail", failure=Failure.EXPECTATION_FALSE)
    made = page(
        outcome=outcome(
            "fail",
            Cause.PRODUCT,
            failed_node="s1",
            results=(failed,),
            expected="$5",
            seen="$4",
            where="http://shop/cart",
        )
    )
    shown = words_of(html_of(made))
    assert "fail · product A visitor pays" in shown
    assert "written in cases/pay.yaml:3 expected $5 seen $4 where http://shop/cart" in shown
    assert f"cause product: {CAUSES[Cause.PRODUCT]} why the expectation was checked and does not hold" in shown
    assert made.failed_anchor == "sub-task-2" and 'id="sub-task-2" open' in html_of(made)


def test_a_run_without_a_log_or_verdict_still_has_a_page():
    bare = CaseOutcome(label="pay", name="A visitor pays", run=RUN)
    shown = words_of(html_of(build_page(Material(outcome=bare, unreadable=2))))
    assert "no verdict A visitor pays It was given up before it had a verdict." in shown
    assert "2 stored messages could not be read by this version of muster" in shown


def test_a_sub_task_that_nobody_finished_is_shown_as_such():
    made = page(log(*PLANNED, *tried(task("s1"))))
    assert (sub_task(made, "Open").state, sub_task(made, "Pay").state) == ("none", "skipped")
    assert "No result." in words_of(html_of(made))


def test_a_run_of_20_steps_with_long_texts_stays_below_300_kb():
    long = "lorem ipsum <&> " * 2_000
    outcomes = ToolOutcome(status="ok", text=long, expected=long, seen=long, duration_ms=5)
    steps = tuple(
        PlanNode(id=f"n{n}", covers=(n,), description=f"Step {n}", expected_result=long[:800]) for n in range(20)
    )
    entries: list[Event] = [events.PlanMade(plan=Plan(nodes=steps))]
    journals: dict[str, tuple[TimedEntry, ...]] = {}
    for node in steps:
        told = result(node.id, evidence=(check(node.expected_result.strip(), 9, seen=long),))
        entries += tried(task(node.id, description=node.description, expected_result=node.expected_result), told)
        calls = [(called(n, "type", text=long), CallFinished(index=n, outcome=outcomes)) for n in range(6)]
        replies = [ModelReplied(index=n, reply=json.dumps({"content": long})) for n in range(6)]
        journals[f"{RUN}.{node.id}.1"] = noted(
            *(entry for call in calls for entry in call),
            *replies,
            Finished(outcome=told),
        )
    lines = tuple(f"{n} {long}" for n in range(2_000))
    html = html_of(page(log(*entries), journals=journals, lines=lines))
    assert len(html.encode()) < 300_000
    assert "characters left out" in html and "the newest 250 of 2,000" in html


def test_of_a_failed_sub_task_the_attempts_that_failed_are_open():
    refused = result("s2", "fail", attempt=2, failure=Failure.NO_EVIDENCE)
    html = html_of(page(outcome=outcome("fail", Cause.AGENT, failed_node="s2", results=(refused,))))
    opened = [part.partition(">")[0] for part in html.split('<details class="attempt ')[1:]]
    assert [part.partition('"')[0] for part in opened if " open" in part] == ["a-step", "a-step"]
    assert html.count(" open>") == 3  # with the sub-task itself
