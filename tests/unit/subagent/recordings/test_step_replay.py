"""A worker that takes a replay over goes on where the one before was, and looks for nothing that was begun."""

from types import SimpleNamespace
from typing import cast

import pytest

from muster_protocol.step_recordings import Described, RecordedCall, StepRecording
from muster_protocol.tool_calls import Consequence, ToolCall, ToolOutcome
from muster_subagent.recordings.step_replay import replay
from muster_subagent.results import Made
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import TOOLS, declared

NAME = RecordedCall(
    tool="type",
    effect="idempotent",
    does="enter",
    arguments={"text": "${name}"},
    target=Described(role="textbox", name="Name"),
)
SEND = RecordedCall(
    tool="click",
    effect="act",
    does="point",
    target=Described(role="button", name="Send"),
    after=Consequence(path="/done"),
)
BANNER = RecordedCall(
    tool="click", effect="act", does="point", target=Described(role="button", name="OK"), optional=True
)
CHECK = RecordedCall(tool="check_text", effect="check", arguments={"text": "Thanks"}, clause="it thanks")
TYPED = ToolCall(tool="type", arguments={"text": "${name}", "element": "Name", "role": "textbox"})
CLICKED = ToolCall(tool="click", arguments={"element": "Send", "role": "button"})
CHECKED = ToolCall(tool="check_text", arguments={"text": "Thanks"}, clause="it thanks")
DONE = ToolOutcome(status="ok", consequence=Consequence(path="/done"))


class BegunExecutor:
    """Tool executor of a worker whose journal holds calls already; it has no device to look at."""

    def __init__(self, *begun: tuple[ToolCall, ToolOutcome]) -> None:
        self.tools, self.values = TOOLS, {"name": "Ann"}
        self.made: list[Made] = []
        self._begun = begun

    @property
    def context(self) -> object:
        """A page that stays where it is."""
        return SimpleNamespace(session=self, action_timeout=0.0)

    async def device(self) -> object:
        return self

    async def look(self, asked: object, wait: object) -> object:
        return SimpleNamespace(place=SimpleNamespace(address="http://shop.test/login"), settled=True)

    def announced(self) -> ToolCall | None:
        return self._begun[len(self.made)][0] if len(self.made) < len(self._begun) else None

    async def make(self, call: ToolCall, *, by_model: bool = False, replayed: bool = False) -> Made:
        outcome = self._begun[len(self.made)][1]
        self.made.append(Made(len(self.made), call, declared(self.tools, call.tool), outcome, by_model=by_model))
        return self.made[-1]


def taken_over(*begun: tuple[ToolCall, ToolOutcome]) -> tuple[ToolExecutor, BegunExecutor]:
    executor = BegunExecutor(*begun)
    return cast("ToolExecutor", executor), executor


async def test_what_was_begun_is_taken_over_as_it_was_and_optional_calls_that_were_left_out_stay_so():
    executor, own = taken_over((TYPED, ToolOutcome(status="ok")), (CLICKED, DONE), (CHECKED, ToolOutcome(status="ok")))
    came = await replay(executor, StepRecording(action="x", calls=(BANNER, NAME, SEND, CHECK)), fresh=True)
    assert (came.miss, came.refuted, came.made, came.skipped) == (None, None, 4, 1)
    assert [made.call for made in own.made] == [TYPED, CLICKED, CHECKED]


async def test_where_the_worker_before_went_on_differently_the_replay_ends():
    snapshot = ToolCall(tool="snapshot")
    executor, own = taken_over((TYPED, ToolOutcome(status="ok")), (snapshot, ToolOutcome(status="ok")))
    came = await replay(executor, StepRecording(action="x", calls=(NAME, SEND)), fresh=True)
    assert came.miss is not None
    assert (came.miss.reason, came.made, len(own.made)) == ("changed", 1, 1)


async def test_once_a_model_was_asked_nothing_more_is_replayed():
    executor, own = taken_over((TYPED, ToolOutcome(status="ok")))
    came = await replay(executor, StepRecording(action="x", calls=(NAME, SEND)), fresh=False)
    assert came.miss is not None
    assert (came.miss.reason, came.made, len(own.made)) == ("changed", 1, 1)


@pytest.mark.parametrize(
    ("outcome", "reason", "made"),
    [
        (ToolOutcome(status="error", text="covered"), "not_eligible", 0),
        (ToolOutcome(status="ok", consequence=Consequence(path="/login")), "changed", 1),
        (ToolOutcome(status="ok", consequence=Consequence(path="/done", dialog=True)), "changed", 1),
    ],
    ids=["cannot be used", "led elsewhere", "opened a dialog"],
)
async def test_an_act_that_cannot_be_done_or_does_something_else_is_a_miss(
    outcome: ToolOutcome, reason: str, made: int
):
    executor, _ = taken_over((CLICKED, outcome))
    came = await replay(executor, StepRecording(action="x", calls=(SEND, CHECK)), fresh=True)
    assert came.miss is not None
    assert (came.miss.reason, came.made, came.other) == (reason, made, bool(made))


@pytest.mark.parametrize("status", ["failed", "error"])
async def test_a_check_that_is_false_or_cannot_be_made_ends_the_replay_and_is_no_miss(status: str):
    outcome = ToolOutcome(status="failed" if status == "failed" else "error", text="no")
    executor, _ = taken_over((CHECKED, outcome))
    came = await replay(executor, StepRecording(action="x", calls=(CHECK,)), fresh=True)
    assert came.miss is None
    assert came.refuted is not None
