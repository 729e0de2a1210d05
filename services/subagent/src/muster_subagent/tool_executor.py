"""Makes calls: announced in the journal before they can have an effect, found there instead of made twice."""

from functools import cache

from msgspec.structs import replace

from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.journal import CallFinished, CallStarted
from muster_protocol.logs import LogKind
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import CHANGING, ToolCall, ToolOutcome
from muster_service import tracing
from muster_subagent import metrics, tools
from muster_subagent.approvals import allows, approval_id, approval_question, leads_elsewhere
from muster_subagent.authors import author_of
from muster_subagent.journal_limits import lean
from muster_subagent.results import Made, entered_by
from muster_subagent.session_client import SessionRefused
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import NeedsPerson, ToolContext
from muster_subagent.tools import Tool, ToolError, Tools
from muster_subagent.tools.tool import PATIENCE
from muster_subagent.tools.traits import EVERYTHING
from muster_text.text_match import both_ends
from muster_text.values import fill_known

_called, _took = cache(metrics.TOOL_CALLS.labels), cache(metrics.TOOL_SECONDS.labels)
"""Looking a label up costs as much as counting."""

LONGEST_CALL = 2_000
"""Characters of a call in the log; the journal has all of it."""
_RESULTS: dict[str, LogKind] = {"": "tool_result", "load": "skill_loaded", "unload": "skill_unloaded"}
"""Kinds of log lines about what came of a call, by what it does to skills."""
GLANCE_SECONDS = 0.2
LONG = 3_000
"""Characters from which an output is summed up before a model is told of it; the whole is an artifact."""


class Diverged(Exception):
    """The journal tells of another call than the one to be made now; its outcome must not be credited to this one."""


class ToolExecutor:
    """Makes the calls of one sub-task, in order; a new holder goes on where the journal ends."""

    def __init__(
        self, task: SubTask, context: ToolContext, journal: Journal, lines: Lines, known: Tools = tools.TOOLS
    ) -> None:
        self.task, self.tools = task, known
        self._context, self._journal, self._lines = context, journal, lines
        self.values = dict(task.step.values)
        self.captured: dict[str, str] = {}
        self.made: list[Made] = []

    async def offered(self) -> Tools:
        """Return the tools that the session's device can serve; of a session without one, those that need none.

        Tools of a workspace are offered if the session has one. A tool that does not declare its needs is offered, too;
        its calls are refused with a reason, since it counts as able to do anything.
        """
        known = self.tools
        if not self._context.session.has_workspace:
            known = {name: tool for name, tool in known.items() if not _works_on_checkout(tool)}
        try:
            device = await self._context.session.device()
        except SessionRefused:
            return {name: tool for name, tool in known.items() if "device" not in tool.needs}
        return tools.served(known, device.features)

    async def make(self, call: ToolCall, *, by_model: bool = False, replayed: bool = False) -> Made:
        """Make the next call, or take over what the journal says of it.

        `replayed`: a model chose it once, and none is told what comes of it, so that nothing is summed up for one.

        Raises:
            SessionLost: the session is gone or another worker drives it.
            Fenced, ClaimLost: another worker holds the sub-task.
            Diverged: the journal tells of another call in its place.
        """
        index, tool = len(self.made), tools.declared(self.tools, call.tool)
        command = str(call.arguments.get(tool.command) or "")
        self._context.by_model = by_model
        self._context.author = author_of(self.task, command, by_model=by_model)
        self._context.entered = entered_by(self.task, self.made, self.captured)
        outcome = await self._outcome(index, call, tool, sum_up=by_model and not replayed)
        made = Made(index, call, tool, outcome, by_model=by_model)
        self.made.append(made)
        self.captured |= made.outcome.captured
        self.values |= made.outcome.captured
        self._follow_skill(made)
        return made

    def _follow_skill(self, made: Made) -> None:
        """Apply the permissions of the skills that are loaded after a call, which may have loaded one."""
        skills = self._context.skills
        if skills is not None and made.tool.skill and made.outcome.status == "ok":
            skills.follow(made.tool.skill, str(made.call.arguments.get("name") or ""))
            self._context.permissions = skills.permissions

    async def glance(self, check: ToolCall) -> bool:
        """Return whether a check holds at this moment; it is in the journal, and evidence for nothing."""
        patience, self._context.action_timeout = self._context.action_timeout, GLANCE_SECONDS
        try:
            at_once = {name: value for name, value in check.arguments.items() if name != PATIENCE}
            made = await self.make(replace(check, clause="", arguments=at_once))
        finally:
            self._context.action_timeout = patience
        return made.outcome.status == "ok"

    @property
    def context(self) -> ToolContext:
        """What its tools are given."""
        return self._context

    def announced(self) -> ToolCall | None:
        """Return the next call if a holder before has begun it."""
        started = self._journal.progress.started.get(len(self.made))
        return started.call if started is not None else None

    def describe(self, call: ToolCall) -> str:
        """Return a call as text for the log."""
        return tools.describe(call, self.tools)

    async def _outcome(self, index: int, call: ToolCall, tool: Tool, *, sum_up: bool) -> ToolOutcome:
        progress = self._journal.progress
        if index in progress.started:
            self._check_same_call(progress.started[index], call)
        if index in progress.outcomes:
            return progress.outcomes[index]
        if index in progress.started and tool.effect == "act" and not tool.rejoinable:
            return self._unknown(call)
        refusal = None if index in progress.started else self._refused_by_person(index, call, tool)
        effect = "read" if refusal else tool.effect  # what was not allowed has not acted
        await self._announce(CallStarted(index=index, call=call, effect=effect))
        if refusal is not None:
            self._journal.note(CallFinished(index=index, outcome=refusal))
            return refusal
        outcome = await self._call(index, call, tool)
        if sum_up and tool.verbose and len(outcome.text) > LONG:
            outcome = await self._summed_up(outcome)
        self._journal.note(CallFinished(index=index, outcome=outcome))
        return outcome

    def _refused_by_person(self, index: int, call: ToolCall, tool: Tool) -> ToolOutcome | None:
        """Return the outcome of a call that a person did not allow; None: it may be made.

        Raises:
            NeedsPerson: a person has to allow it first, and nobody has answered yet.
        """
        context = self._context
        asked = tool.name in context.permissions.approvals
        asked = asked or (tool.effect in CHANGING and leads_elsewhere(self.task, call.arguments))
        if not context.by_model or not asked:
            return None
        question = approval_id(f"{self.task.id}:{index}")
        if question not in context.answers:
            try:
                text = approval_question(self.task.agent, fill_known(self.describe(call), self.values))
            except ValueError as error:
                why = f"no person can allow this call: {error}; make it shorter"
                return ToolError(why, failure=Failure.NOT_PERMITTED).outcome()
            raise NeedsPerson(question, context.secrets.mask(text))
        if allows(context.answers[question]):
            return None
        metrics.TOOL_REFUSALS.labels("approval").inc()
        return ToolError("a person did not allow this call", failure=Failure.NOT_PERMITTED).outcome()

    def _check_same_call(self, recorded: CallStarted, call: ToolCall) -> None:
        """Raise `Diverged` unless a call is the recorded one."""
        now = codec.decode(codec.encode(replace(recorded, call=call)), CallStarted)
        if recorded not in (now, lean(now)):
            before, wanted = self.describe(recorded.call), self.describe(call)
            text = f"call {recorded.index} was {before} before its worker was lost, and would be {wanted} now"
            raise Diverged(f"{text}; perhaps the workers are of different versions")

    async def _announce(self, entry: CallStarted) -> None:
        """Record that a call begins; one that changes something is stored in the journal before it is made."""
        if entry.effect in CHANGING:
            await self._journal.append(entry)
        else:
            self._journal.note(entry)

    async def _call(self, index: int, call: ToolCall, tool: Tool) -> ToolOutcome:
        self._context.call = f"{self.task.id}:{index}"
        told = both_ends(fill_known(self.describe(call), self.values), LONGEST_CALL)
        self._lines.tell("tool_call", told, tool=call.tool)
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": call.tool, "gen_ai.tool.type": "function"}
        told |= {"gen_ai.tool.call.id": self._context.call}
        with tracing.span(f"execute_tool {call.tool}", told) as span:
            outcome = await self._made(index, call)
            if outcome.status != "ok":
                tracing.mark_failed(span, outcome.status, str(outcome.failure or outcome.status))
        name = "unknown" if call.tool not in self.tools else call.tool if tool.served_by is None else tool.group
        _called(name, outcome.status).inc()
        _took(name).observe(outcome.duration_ms / 1000)
        level = "info" if outcome.status == "ok" else "error"
        text = outcome.text or f"expected {outcome.expected}; seen: {outcome.seen}"
        self._lines.tell(
            _RESULTS[tool.skill if outcome.status == "ok" else ""],
            f"  → {text}",
            level=level,
            tool=call.tool,
            status=outcome.status,
            duration_ms=outcome.duration_ms,
            artifacts=tuple(ref.name for ref in outcome.artifacts),
        )
        return outcome

    async def _made(self, index: int, call: ToolCall) -> ToolOutcome:
        async def make() -> ToolOutcome:
            return await tools.call(self._context, call, self.values, self.tools)

        tool, recorder = tools.declared(self.tools, call.tool), self._context.recorder
        recorded = recorder is not None and tool.effect in CHANGING and "device" in tool.needs
        return await (recorder.around(index, make) if recorder is not None and recorded else make())

    async def _summed_up(self, outcome: ToolOutcome) -> ToolOutcome:
        """Return the outcome with what matters of its text; as it is if no model can say that."""
        summary, usage = await self._context.looker.summary(outcome.text) if self._context.looker else ("", None)
        if not summary:
            return outcome
        name = f"output-{self._context.call.rpartition(':')[2]}.txt"
        stored = outcome.artifacts or (
            self._context.store(name, outcome.text.encode(errors="replace"), "text/plain; charset=utf-8"),
        )
        head = outcome.text[:400]
        text = f"{head}\n… (summed up by a model, {len(outcome.text)} characters) …\n{summary}"
        return replace(outcome, text=self._context.secrets.mask(text), usage=usage, artifacts=stored)

    def _unknown(self, call: ToolCall) -> ToolOutcome:
        """Return the outcome of an action that was under way when its worker was lost: it is not repeated."""
        self._lines.tell("decision", f"{self.describe(call)} was under way when its worker was lost; not repeated")
        text = "this action was under way when its worker was lost; whether it had its effect is not known"
        return ToolOutcome(status="ok", text=text, confirmed=False, failure=Failure.IN_FLIGHT_LOST)


def _works_on_checkout(tool: Tool) -> bool:
    """Return whether a tool declares that it works on the session's copy of a workspace."""
    return "checkout" in tool.needs and tool.needs != EVERYTHING
