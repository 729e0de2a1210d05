"""Runs a script: a list of tool calls, announced in the journal before they can have an effect, without a model."""

import time
from collections.abc import Sequence

from msgspec.structs import replace

from muster_protocol.causes import Failure, cause_of
from muster_protocol.journal import CallFinished, CallStarted
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tools import Effect, ToolCall, ToolOutcome
from muster_protocol.values import shown
from muster_subagent import metrics, tools
from muster_subagent.context import ToolContext
from muster_subagent.journal import Journal
from muster_subagent.lines import Lines
from muster_subagent.results import CHANGING, Made, concluded

JOINED = frozenset({"execute_command", "browser_dialog"})
"""Acts that the session host remembers by call id: asked again, they are joined, not repeated."""


class Script:
    """One sub-task's script, from the first call to the result; a new holder goes on where the journal ends."""

    def __init__(self, task: SubTask, context: ToolContext, journal: Journal, lines: Lines) -> None:
        self._task, self._context, self._journal, self._lines = task, context, journal, lines
        self._values = dict(task.values)
        self._made: list[Made] = []

    async def run(self, calls: Sequence[ToolCall]) -> SubTaskResult:
        """Make the calls in order, stop at the first that does not come out well, and return the result.

        Raises:
            SessionLost: the session is gone or another worker drives it.
            Fenced, ClaimLost: another worker holds the sub-task.
        """
        started = time.monotonic()
        for index, call in enumerate(calls):
            made = await self._step(index, call)
            self._made.append(made)
            self._values |= made.outcome.captured
            if made.outcome.status != "ok":
                break
        complete = len(self._made) == len(calls)
        result = concluded(self._task, self._made, complete=complete, seconds=time.monotonic() - started)
        return self._blamed_on_takeover(result)

    async def _step(self, index: int, call: ToolCall) -> Made:
        """Make one call, or take over what the journal says of it."""
        effect = tools.effect_of(call)
        progress = self._journal.progress
        if index in progress.outcomes:
            return Made(index, call, effect, progress.outcomes[index])
        if index in progress.started and effect == "act" and call.tool not in JOINED:
            return Made(index, call, effect, self._unknown(call))
        await self._announce(index, call, effect)
        outcome = await self._call(index, call)
        self._journal.note(CallFinished(index=index, outcome=outcome))
        return Made(index, call, effect, outcome)

    async def _announce(self, index: int, call: ToolCall, effect: Effect) -> None:
        """Nothing that changes anything is called before the journal has said so."""
        entry = CallStarted(index=index, call=call, effect=effect)
        if effect in CHANGING:
            await self._journal.append(entry)
        else:
            self._journal.note(entry)

    async def _call(self, index: int, call: ToolCall) -> ToolOutcome:
        self._context.call = f"{self._task.id}:{index}"
        self._lines.tell("tool_call", shown(tools.describe(call), self._values), tool=call.tool)
        outcome = await tools.call(self._context, call, self._values)
        metrics.TOOL_CALLS.labels(call.tool, outcome.status).inc()
        metrics.TOOL_SECONDS.labels(call.tool).observe(outcome.duration_ms / 1000)
        level = "info" if outcome.status == "ok" else "error"
        text = outcome.text or f"expected {outcome.expected}; seen: {outcome.seen}"
        self._lines.tell(
            "tool_result",
            f"  → {text}",
            level=level,
            tool=call.tool,
            status=outcome.status,
            duration_ms=outcome.duration_ms,
        )
        return outcome

    def _unknown(self, call: ToolCall) -> ToolOutcome:
        """Stand in for an act that was under way when its worker went: not done again, the expectation decides."""
        self._lines.tell("decision", f"{tools.describe(call)} was under way when its worker was lost; not repeated")
        text = "this action was under way when its worker was lost; whether it had its effect is not known"
        return ToolOutcome(status="ok", text=text, confirmed=False, failure=Failure.IN_FLIGHT_LOST)

    def _blamed_on_takeover(self, result: SubTaskResult) -> SubTaskResult:
        """A fail after an act of unknown effect says nothing about the product."""
        unknown = any(made.outcome.failure == Failure.IN_FLIGHT_LOST for made in self._made)
        if not unknown or result.status == "pass":
            return result
        summary = f"an action was under way when its worker was lost and is not repeated; {result.summary}"
        failure = Failure.IN_FLIGHT_LOST
        return replace(result, status="fail", failure=failure, cause=cause_of(failure), summary=summary)
