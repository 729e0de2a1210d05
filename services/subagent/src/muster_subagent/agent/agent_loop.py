"""The agent loop: ask, read the reply, make its calls, look at what it claims; until there is a result."""

import time
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_evidence.binding import asks_person
from muster_evidence.proof import planted, undone
from muster_model import ModelError, ModelUnusable
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall
from muster_subagent.agent.clause_prover import Clause, Gap, prove, worst_of
from muster_subagent.agent.conversation import Answered, Turn, conversation
from muster_subagent.agent.loop_detection import ENDED_AFTER, TOLD_AFTER, repeated
from muster_subagent.agent.model_calls import Asker, BudgetSpent
from muster_subagent.agent.page_view import lean
from muster_subagent.agent.reply_parser import Asked, Claimed, Said, said
from muster_subagent.agent.toolset import (
    FINISH,
    OPEN_TOOLS,
    ambiguous,
    groups_for,
    may_open,
    toolset,
    wants_page,
)
from muster_subagent.results import Made, act_of, facts_of, failed, shortened
from muster_subagent.task_log import Lines
from muster_subagent.tool_executor import Hands
from muster_subagent.tools import ToolError, Tools, declared, permitted
from muster_subagent.tools.page_tools import snapshot
from muster_text.values import names

SILENT_REPLIES = 3
"""Replies in a row without a call or a result after which the sub-task ends."""
LONGEST_ANSWER = 4_000
"""Characters of a tool's result that a model is told; tools shorten theirs before, and store the whole."""


class Bar(NamedTuple):
    """Why further calls of a reply are not made."""

    text: str
    everything: bool
    """Else only what acts: looking, and claiming a result, is of the page as it is now."""

    def stops(self, asked: Asked, tools: Tools) -> bool:
        """Return whether a call is not made."""
        acts = asked.tool not in (FINISH, OPEN_TOOLS) and declared(tools, asked.tool).effect in CHANGING
        return self.everything or acts


_FAILED = Bar("not done: the call before it failed", everything=True)
_MOVED = Bar("not done: the page has changed since; look at it first", everything=False)


class Allowance(NamedTuple):
    """What the loop is allowed: groups of tools, and the tokens of one question."""

    groups: tuple[str, ...]
    room: int


class AgentLoop:
    """One sub-task carried out by a model; everything it does is in the journal, so that a new holder goes on."""

    def __init__(self, hands: Hands, asker: Asker, lines: Lines, clauses: Sequence[Clause], allowed: Allowance) -> None:
        self._task: SubTask = hands.task
        self._hands, self._asker, self._lines, self._clauses = hands, asker, lines, clauses
        self._tools, self._room = permitted(hands.tools, allowed.groups), allowed.room
        self._words = " ".join((hands.task.description, *hands.task.step.written))
        self._opened = set(groups_for(self._tools, self._words, has_clauses=any(not it.checks for it in clauses)))
        self._by_name = True
        """No page it was shown has elements that names do not tell apart."""
        self._turns: list[Turn] = []
        self._refused = False
        """A pass was sent back once."""
        self._silent = 0
        self._started = time.monotonic()

    async def run(self, note: str = "") -> SubTaskResult:
        """Go on until there is a result; `note` tells the model of what was tried before.

        Raises:
            SessionLost, Fenced, ClaimLost: the sub-task is not this worker's any more.
        """
        view = await self._first_view()
        view = f"{note}\n\n{view}" if note else view
        try:
            while True:
                result = await self._step(view)
                if result is not None:
                    return result
        except BudgetSpent as error:
            return self._failed(Failure.LIMIT, str(error))
        except ModelError as error:
            return unavailable(self._facts(), error)

    async def _first_view(self) -> str:
        if not wants_page(self._words):
            return ""
        made = await self._hands.make(ToolCall(tool=snapshot.name), by_model=True)
        return self._seen(made)

    def _seen(self, made: Made) -> str:
        """Return a page as the model is shown it, and have it offered the tools for what is there."""
        view = lean(made.outcome.text)
        self._opened |= groups_for(self._tools, self._words, made.outcome.text)
        self._by_name = self._by_name and not ambiguous(view)
        return view

    async def _step(self, view: str) -> SubTaskResult | None:
        offered = toolset(self._tools, self._opened, self._words, by_name=self._by_name)
        texts = [clause.text for clause in self._clauses]
        messages = conversation(
            self._task,
            texts,
            view,
            self._turns,
            instructions=self._asker.instructions,
            tools=offered.text,
            room=self._room,
        )
        reply = await self._asker.ask(messages, tools=offered.schemas)
        heard = said(reply, self._tools.keys() | set(offered.names))
        if heard.calls:
            self._silent = 0
            answers, result = await self._carry_out(heard)
            note = self._going_in_circles() if result is None else ""
            self._turns.append(Turn(reply, tuple(answers), note))
            return result or self._stuck()
        if heard.claim is not None:
            self._silent = 0
            result, told = await self._claimed(heard.claim)
            self._turns.append(Turn(reply, note=told))
            return result
        self._silent += 1
        self._turns.append(Turn(reply, note=heard.problem))
        if self._silent >= SILENT_REPLIES:
            return self._failed(Failure.UNPARSABLE, f"the model gave no call and no result: {heard.problem}")
        return None

    async def _carry_out(self, heard: Said) -> tuple[list[Answered], SubTaskResult | None]:
        """Make the calls of one reply in order; once one fails, or the page has become another, what was meant for the
        page as it was is not done."""
        claims = {str(call.arguments.get("status")) for call in heard.calls if call.tool == FINISH}
        bar = Bar("not done: the reply claims two results", everything=True) if len(claims) > 1 else None
        answers: list[Answered] = []
        for asked in heard.calls:
            if bar is not None and bar.stops(asked, self._tools):
                answers.append(Answered(asked.id, self._shown(asked), bar.text, made=False))
                bar = bar._replace(everything=True)  # a result that counts on a call that was not made is none
            elif asked.tool == FINISH:
                result, told = await self._finished(asked)
                answers.append(Answered(asked.id, FINISH, told))
                if result is not None:
                    return answers, result
                bar = Bar("not done: the result before it was not accepted", everything=True)
            else:
                text, found = await self._do(asked)
                bar = found or bar
                answers.append(Answered(asked.id, self._shown(asked), text))
        return answers, None

    async def _do(self, asked: Asked) -> tuple[str, "Bar | None"]:
        """Make one call; return what the model is told, and what keeps further calls of its reply from being made."""
        if asked.tool == OPEN_TOOLS:
            return self._open(str(asked.arguments.get("group", ""))), None
        problem = asked.problem or self._forbidden(asked)
        if problem:
            return f"error: {problem}", _FAILED
        before = self._where()
        call = ToolCall(tool=asked.tool, arguments=_without_clause(asked), clause=self._clause(asked))
        made = await self._hands.make(call, by_model=True)
        if made.outcome.status == "error":
            return _told(made), _FAILED
        view = self._seen(made) if made.tool.outline == "whole" else ""
        moved = made.changes and before not in ("", self._where())
        return _told(made, view), _MOVED if moved else None

    def _forbidden(self, asked: Asked) -> str:
        """Return why a call is not made at all, or ""."""
        if asked.tool not in self._tools:
            return f"there is no tool {asked.tool!r}"
        if len(self._hands.made) >= self._task.budget.calls:
            raise BudgetSpent(f"{self._task.budget.calls} tool calls are used up")
        call = ToolCall(tool=asked.tool, arguments=_without_clause(asked))
        made = Made(0, call, self._tools[asked.tool], _NOTHING)
        if made.changes:
            act = act_of(self._task, made, self._hands.captured)
            literal = planted(act, self._task.step.guarded, anyhow=not self._task.step.covers)
            if literal:
                return f"this would bring about {literal!r} by itself, which only the product may do"
        return ""

    def _open(self, group: str) -> str:
        if not may_open(self._tools, group):
            return f"error: there is no group {group!r}"
        self._opened.add(group)
        return f"the tools of {group} are there now"

    async def _finished(self, asked: Asked) -> tuple[SubTaskResult | None, str]:
        status = asked.arguments.get("status")
        if asked.problem or status not in ("pass", "fail"):
            return None, f"error: {asked.problem or 'status must be pass or fail'}"
        summary = str(asked.arguments.get("summary") or "")
        return await self._claimed(Claimed(status, summary, asked.arguments.get("blocked") is True))

    async def _claimed(self, claim: Claimed) -> tuple[SubTaskResult | None, str]:
        """Take a claimed result if it holds; a pass that does not is sent back once."""
        if claim.status == "fail" and claim.blocked:
            return self._blocked(claim), "taken"
        idle = self._idle() if claim.status == "pass" else ""
        gaps = () if idle else await prove(self._hands, self._clauses)
        if claim.status == "fail":
            return self._fail(claim, gaps), "taken"
        if not idle and not gaps:
            return self._passed(claim), "taken"
        if not self._refused:
            self._refused = True
            return None, _sent_back(idle, gaps)
        return (self._failed(Failure.NO_EVIDENCE, idle) if idle else self._refuted(gaps)), "refused"

    def _idle(self) -> str:
        """Return why nothing can have been achieved, or ""."""
        acts = [made for made in self._hands.made if made.changes]
        mine = [act_of(self._task, made, self._hands.captured) for made in acts if made.by_model]
        asked = [made for made in self._hands.made if "people" in made.tool.needs]
        if asks_person(self._task.description) and not asked:
            return "the step says to ask a person, and nobody was asked"
        taken = {name for made in self._hands.made if made not in asked for name in made.outcome.captured}
        asked_for = taken & set(names(self._task.description))
        if self._task.step.covers and not asked_for:
            idle = undone(self._task.description, mine, again=self._task.attempt > 1)
            if idle:
                return idle
        if not self._clauses and acts and not acts[-1].outcome.confirmed:
            return f"{acts[-1].call.tool} did not show its effect"
        return ""

    def _passed(self, claim: Claimed) -> SubTaskResult:
        proven = "; ".join(clause.text for clause in self._clauses)
        return replace(self._facts(), status="pass", unverified=not self._expects, summary=proven or claim.summary)

    def _fail(self, claim: Claimed, gaps: Sequence[Gap]) -> SubTaskResult:
        """A fail that is claimed is a fail; what was seen to be false says why."""
        if gaps:
            return self._refuted(gaps)
        return self._failed(Failure.GAVE_UP, claim.summary or "the sub-agent says that it failed")

    def _refuted(self, gaps: Sequence[Gap]) -> SubTaskResult:
        worst = worst_of(gaps)
        outcome = worst.made.outcome if worst.made else None
        result = self._failed(worst.failure, worst.text)
        seen, where = (outcome.seen, outcome.where) if outcome else ("", "")
        expected = (outcome and outcome.expected) or worst.clause
        return replace(result, expected=shortened(expected), seen=shortened(seen), where=where)

    def _blocked(self, claim: Claimed) -> SubTaskResult:
        """Name what stood in the way: the last call that could not be made, if that was the model's last act."""
        mine = [made for made in self._hands.made if made.by_model and made.tool.outline != "whole"]
        errors = [made for made in mine if made.outcome.status == "error" or not made.outcome.confirmed]
        outcome = errors[-1].outcome if errors else None
        failure = (outcome and outcome.failure) or Failure.GAVE_UP
        result = self._failed(failure, claim.summary or (outcome.text if outcome else "it could not be carried out"))
        if outcome is None:
            return result
        return replace(result, expected=outcome.expected, seen=outcome.seen or outcome.text, where=outcome.where)

    def _stuck(self) -> SubTaskResult | None:
        if repeated(self._hands.made) < ENDED_AFTER:
            return None
        tool = self._hands.made[-1].call.tool
        return self._failed(Failure.GAVE_UP, f"the model went in circles: {tool} {ENDED_AFTER} times, same outcome")

    def _going_in_circles(self) -> str:
        if repeated(self._hands.made) < TOLD_AFTER:
            return ""
        self._lines.tell("decision", "the model repeats itself and is told so", level="warning")
        return "You have made this very call several times with the same outcome. Try something else, or finish."

    def _failed(self, failure: Failure, summary: str) -> SubTaskResult:
        return failed(self._facts(), failure, shortened(summary))

    def _facts(self) -> SubTaskResult:
        facts = facts_of(self._task, self._hands.made, time.monotonic() - self._started)
        usage = facts.usage.plus(self._asker.usage)
        return replace(facts, source="model", iterations=self._asker.asked, usage=usage)

    @property
    def _expects(self) -> bool:
        return bool(self._task.step.expected_result.strip())

    def _where(self) -> str:
        return next((made.outcome.where for made in reversed(self._hands.made) if made.outcome.where), "")

    def _shown(self, asked: Asked) -> str:
        return self._hands.describe(ToolCall(tool=asked.tool, arguments=_without_clause(asked)))

    def _clause(self, asked: Asked) -> str:
        """Return the clause a check says it proves, by its number."""
        number, effect = asked.arguments.get("clause"), declared(self._tools, asked.tool).effect
        if effect != "check" or isinstance(number, bool) or not isinstance(number, int | float):
            return ""
        index = int(number) - 1
        return self._clauses[index].text if 0 <= index < len(self._clauses) else ""


def unavailable(facts: SubTaskResult, error: ModelError) -> SubTaskResult:
    """Return the result of work whose model cannot be asked; worth another try unless a setting is wrong."""
    result = failed(facts, Failure.MODEL_UNAVAILABLE, str(error))
    return result if isinstance(error, ModelUnusable) else replace(result, status="error")


_NOTHING = ToolError("", failure=Failure.INVALID_CALL).outcome()


def _without_clause(asked: Asked) -> dict[str, ArgumentValue]:
    return {name: value for name, value in asked.arguments.items() if name != "clause"}


def _told(made: Made, view: str = "") -> str:
    """Return what the model is told came of a call; `view` is the page in fewer words, where it was looked at."""
    outcome = made.outcome
    text = view or outcome.text or f"expected {outcome.expected}; seen: {outcome.seen}"
    text = lean(text) if made.tool.outline == "part" else text
    lead = {"ok": "", "failed": "does not hold: ", "error": "error: "}[outcome.status]
    half = LONGEST_ANSWER // 2
    short = text if len(text) <= LONGEST_ANSWER else f"{text[:half]}\n… (cut) …\n{text[-half:]}"
    return lead + short


def _sent_back(idle: str, gaps: Sequence[Gap]) -> str:
    """Return what the model is told when its pass is not accepted, once."""
    if idle:
        return f"not accepted: {idle}. Do the step, or finish with fail."
    lacks = "\n".join(f"- {missing.clause!r}: {missing.text}" for missing in gaps)
    return (
        f"not accepted, not proven yet:\n{lacks}\nIf the step is not done, go on. If it is done and this is what the "
        "product shows, finish with fail."
    )
