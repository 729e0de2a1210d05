"""What does not fit into one message is made to fit: nothing passes without its proof, nothing fails for another reason."""

from typing import Any

import pytest
from envelopes import result_of

from muster_protocol.causes import Cause, Failure
from muster_protocol.codec import encode
from muster_protocol.facts import Evidence
from muster_protocol.journal import CallFinished, CallStarted, JournalEntry, ModelReplied, Question, Suspended
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolCall, ToolOutcome, Usage
from muster_subagent.journal_limits import fitting, lean

MESSAGE = 100_000
SPENT = Usage(calls=5, cost=0.5)
PLANNED = {"kind": "plan", "plan": Plan(nodes=(PlanNode(id="a", description="x" * MESSAGE),))}


def result_with(**fields: Any) -> SubTaskResult:
    """Return a pass that acted, with more or other fields."""
    place: dict[str, Any] = {"task": "r.n.1", "iterations": 3, "usage": SPENT}
    done: dict[str, Any] = {"status": "pass", "summary": "it is there", "acted": True, "last_act": 4}
    return result_of(**{**place, **done, **fields})


def seen(text: str) -> tuple[Evidence, ...]:
    return (Evidence(clause="c", check="check_text", call=1, passed=True, seen=text),)


def test_a_result_that_fits_is_left_as_it_is():
    result = result_with(captured={"order": "x" * 70_000})

    assert fitting(result, MESSAGE) is result


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"captured": {"order": "x" * MESSAGE}}, "the values it remembered: remember a smaller part"),
        ({"evidence": seen("x" * MESSAGE)}, "what its checks saw: expect less in one step"),
        (PLANNED, "its output: ask for less"),
        ({"summary": "x" * MESSAGE}, "its summary: ask for less"),
    ],
)
def test_a_pass_that_does_not_fit_is_a_fail_that_says_what_was_too_large_and_what_to_do(
    fields: dict[str, Any], said: str
):
    result = fitting(result_with(**fields), MESSAGE)

    assert (result.status, result.failure, result.cause) == ("fail", Failure.LIMIT, Cause.AGENT)
    assert result.summary.endswith(said)
    assert "at most 75000 fit" in result.summary
    assert len(encode(result)) < 5000
    assert (result.iterations, result.acted, result.last_act, result.usage) == (3, True, 4, SPENT)


def test_a_fail_of_the_product_stays_one_without_its_details():
    broken = result_with(
        status="fail",
        failure=Failure.EXPECTATION_FALSE,
        cause=Cause.PRODUCT,
        summary="expected 3; seen: 4",
        expected="3",
        seen="4" * MESSAGE,
    )
    result = fitting(broken, MESSAGE)

    assert (result.status, result.failure, result.cause) == ("fail", Failure.EXPECTATION_FALSE, Cause.PRODUCT)
    assert (result.summary, result.expected) == ("expected 3; seen: 4", "3")
    assert len(encode(result)) < 5000


LONG = "x" * 1_000_000


@pytest.mark.parametrize(
    "entry",
    [
        CallStarted(index=1, call=ToolCall(tool="write_file", arguments={"text": LONG, "n": 1}), effect="act"),
        CallStarted(index=1, call=ToolCall(tool="select", arguments={"values": [LONG] * 60}), effect="act"),
        CallFinished(index=1, outcome=ToolOutcome(status="ok", text=LONG, seen=LONG, expected=LONG, where=LONG)),
        CallFinished(index=1, outcome=ToolOutcome(status="ok", captured={"a": LONG})),
        Suspended(waits=Question(id="q", text=LONG), message=1),
    ],
)
def test_an_entry_is_made_small_once_and_keeps_its_place(entry: JournalEntry):
    small = lean(entry)

    assert len(encode(small)) < 150_000
    assert type(small) is type(entry)
    assert lean(small) == small


def test_a_value_is_kept_whole_or_not_at_all():
    kept = CallFinished(index=1, outcome=ToolOutcome(status="ok", text=LONG, captured={"a": "x" * 50_000}))
    lost = CallFinished(index=1, outcome=ToolOutcome(status="ok", captured={"a": LONG}))
    small, failed = lean(kept), lean(lost)

    assert isinstance(small, CallFinished)
    assert isinstance(failed, CallFinished)
    assert small.outcome.captured == kept.outcome.captured
    assert (failed.outcome.status, failed.outcome.captured, failed.outcome.failure) == ("error", {}, Failure.LIMIT)
    assert "remember a smaller part" in failed.outcome.text


def test_what_a_model_said_is_never_cut():
    entry = ModelReplied(index=1, reply=LONG)

    assert lean(entry) is entry
