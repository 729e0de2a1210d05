"""A journal as a report tells it, and the words and numbers of the report. All pure."""

import json
import re
from typing import Any

import pytest

from muster_protocol.causes import Cause, Failure
from muster_protocol.journal import CallFinished, CallStarted, JournalEntry, ModelReplied, Released, Taken
from muster_protocol.tool_calls import ArtifactRef, Box, Shown, ToolCall, ToolOutcome, Usage
from muster_views.attempt_views import CallView, Moment, NoteView, ReplyView, ShownView
from muster_views.html.showing import LONGEST, SHORTEST, TOGETHER, Showing, format_cost, share_room
from muster_views.journal_moments import view_journal
from muster_views.material import StoredFile
from muster_views.proofs import read_arguments
from muster_views.texts import format_duration, format_money, format_size, format_usage, shorten
from muster_views.words import CAUSES, FAILURES, look

TAKEN = Taken(worker="worker-a", message=1, delivery=1)
SHOWING = Showing({})


def told(*entries: JournalEntry) -> list[Moment]:
    return view_journal([(0.0, entry) for entry in (TAKEN, *entries)], {"name": "Ada"}, over=True).moments


def called(*entries: JournalEntry) -> CallView:
    (made,) = told(*entries)
    assert isinstance(made, CallView)
    return made


def started(index: int, tool: str, **arguments: Any) -> CallStarted:
    return CallStarted(index=index, call=ToolCall(tool=tool, arguments=arguments), effect="act")


def test_a_call_is_told_with_arguments_outcome_duration_and_what_it_captured():
    outcome = ToolOutcome(status="ok", text="Clicked it", duration_ms=1_234, captured={"order": "7"})
    made = called(started(0, "click", element="Buy", force=True), CallFinished(index=0, outcome=outcome))
    assert (made.status, made.effect, made.summary, format_duration(made.duration_ms / 1000)) == (
        "ok",
        "act",
        "Clicked it",
        "1.2 s",
    )
    assert SHOWING.arguments(made.arguments).short == (("element", '"Buy"'), ("force", "true"))
    assert SHOWING.outcome(made) == (("captured order", "7"),)


def test_known_values_are_filled_in_and_secrets_stay_placeholders():
    made = called(started(0, "type", text="${name} ${secret:PIN} ${later}"))
    assert made.arguments == {"text": "Ada ${secret:PIN} ${later}"}


def test_a_long_argument_gets_lines_of_its_own_and_one_that_is_no_json_is_shown_as_it_came():
    shown = SHOWING.arguments({"command": "x" * 100, "timeout": 5})
    assert ([one.name for one in shown.long], [one.name for one in shown.short]) == (["command"], ["timeout"])
    assert SHOWING.arguments(read_arguments("{half", {})).long == (("", "{half"),)


@pytest.mark.parametrize(
    ("outcome", "state", "details"),
    [
        (
            ToolOutcome(status="failed", text="no", expected="$5", seen="$4"),
            "failed",
            [("expected", "$5"), ("seen", "$4")],
        ),
        (ToolOutcome(status="failed", text="expected $5; seen: $4", expected="$5", seen="$4"), "failed", []),
        (
            ToolOutcome(status="error", text="there is none", failure=Failure.ELEMENT_MISSING),
            "error",
            [("went wrong", "element missing")],
        ),
        (
            ToolOutcome(status="ok", text="exit code 127", failure=Failure.COMMAND_MISSING),
            "error",
            [("went wrong", "command missing")],
        ),
    ],
)
def test_a_call_that_did_not_come_out_well_says_why_once(
    outcome: ToolOutcome, state: str, details: list[tuple[str, str]]
):
    made = called(started(0, "check_text"), CallFinished(index=0, outcome=outcome))
    assert (made.status, list(SHOWING.outcome(made))) == (state, details)


def test_what_a_call_stored_is_shown_if_it_was_fetched():
    refs = tuple(ArtifactRef(name=name, sha256="0", size=1) for name in ("r/a.png", "r/b.txt", "r/gone.png"))
    show = Showing(
        {
            "a.png": StoredFile("r/a.png", "artifacts/a.png", 1_500, "image/png"),
            "b.txt": StoredFile("r/b.txt", "artifacts/b.txt", 5, "text/plain"),
        }
    )
    finished = CallFinished(index=0, outcome=ToolOutcome(status="ok", artifacts=refs))
    made = called(started(0, "take_screenshot"), finished)
    assert [(one.path, one.size) for one in show.pictures(made.artifacts)] == [("artifacts/a.png", "1.5 kB")]
    assert [one.path for one in show.others(made.artifacts)] == ["artifacts/b.txt"]


def test_a_takeover_and_the_call_it_interrupted_are_told():
    interrupted, taken, released = told(
        started(0, "execute_command", command="make"),
        Taken(worker="worker-b", message=1, delivery=2),
        Released(reason="asked to stop"),
    )
    assert isinstance(interrupted, CallView)
    assert "its worker was lost" in look(interrupted.status).word
    assert isinstance(taken, NoteView) and isinstance(released, NoteView)
    assert taken.text == "Taken over by worker-b (delivery 2); finished calls are not repeated"
    assert released.text == "Returned by its worker: asked to stop"


def test_an_outcome_without_its_call_is_told_too():
    made = called(CallFinished(index=7, outcome=ToolOutcome(status="ok", text="done")))
    assert (made.number, made.tool, made.summary, made.status) == (7, "", "done", "ok")


@pytest.mark.parametrize(
    ("reply", "text", "calls"),
    [
        (json.dumps({"role": "assistant", "content": "I look first."}), "I look first.", []),
        (
            json.dumps({"content": None, "tool_calls": [{"function": {"name": "finish", "arguments": '{"a":1}'}}]}),
            "",
            [("finish", "1")],
        ),
        (
            '{"tool_calls": [{"function": {"name": "finish", "arguments": "{half"}}]}',
            "",
            [("finish", "{half")],
        ),
        (
            '{"text": "So:", "calls": [{"id": "0", "function": {"name": "finish", "arguments": "{}"}}], "usage": {}}',
            "So:",
            [("finish", "")],
        ),
        ('{"unheard": 1}', '{"unheard": 1}', []),
        ("RESULT: PASS", "RESULT: PASS", []),
        ('{"content": 7}', '{"content": 7}', []),
        ("[]", "[]", []),
    ],
)
def test_a_models_reply_is_told_whatever_it_is(reply: str, text: str, calls: list[tuple[str, str]]):
    (made,) = told(ModelReplied(index=0, reply=reply, input_tokens=900, output_tokens=100, cost=0.5))
    assert isinstance(made, ReplyView)
    assert (made.text, format_cost(made)) == (text, "1,000 tokens, cost 0.5")
    assert [(call.tool, "".join(str(value) for value in call.arguments.values())) for call in made.calls] == calls


def test_long_texts_share_the_room_there_is_and_short_ones_are_left_alone():
    assert share_room([]) == share_room([10, 20, TOGETHER // 2]) == LONGEST
    short, long = [100] * 50, [10**6] * 100
    share = (TOGETHER - sum(short)) // len(long)
    assert share - 60 < share_room(short + long) <= share
    assert share_room([10**6] * 10**5) == SHORTEST


@pytest.mark.parametrize("failure", list(Failure))
def test_every_failure_has_words(failure: Failure):
    assert FAILURES[failure] and "_" not in FAILURES[failure]
    assert CAUSES.keys() == set(Cause)


def test_numbers_are_told_as_people_read_them():
    assert (format_duration(0), format_duration(0.0004), format_duration(0.25), format_duration(75)) == (
        "",
        "1 ms",
        "250 ms",
        "1 min 15 s",
    )
    assert (format_size(999), format_size(2_500), format_size(3_400_000)) == ("999 B", "2.5 kB", "3.4 MB")
    assert (format_money(12.5), format_money(0.0123), format_usage(Usage())) == ("12.50", "0.0123", "")
    assert shorten("short", 10) == "short"
    cut = shorten("a" * 500 + "b" * 500, 100)
    assert re.fullmatch("a{66} … 900 characters left out … b{34}", cut)


def test_an_act_has_the_screen_before_and_after_it_apart_from_its_other_files():
    names = [f"run-1/step-1/act-1-0-{moment}.png" for moment in ("before", "after")]
    refs = tuple(ArtifactRef(name=name, sha256="0", size=9) for name in (*names, "run-1/step-1/other.png"))
    parts = (Box(x=16, y=32, width=48, height=16),)
    shown = Shown(pictures=tuple(names), new=("- text: Paid",), gone=("- text: Open",), parts=parts)
    outcome = ToolOutcome(status="ok", text="Clicked it", artifacts=refs, shown=shown)
    made = called(started(0, "click", element="Pay"), CallFinished(index=0, outcome=outcome))
    assert made.artifacts == ("step-1/other.png",)
    assert made.shown == ShownView(
        pictures=("step-1/act-1-0-before.png", "step-1/act-1-0-after.png"), new=shown.new, gone=shown.gone, parts=parts
    )
    assert SHOWING.parts(parts) == "48 x 16 at 16, 32"
    assert called(started(0, "click"), CallFinished(index=0, outcome=ToolOutcome(status="ok"))).shown is None
