"""The agent loop: ask, read the reply, make its calls, look at what it claims; until there is a result."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from muster_model import ModelError, Reply
from muster_model.reply_parser import Claimed, Said, said
from muster_model.spoken_text import spoken
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.agent.claim_judge import ClaimJudge, unavailable
from muster_subagent.agent.clause_prover import Clause
from muster_subagent.agent.element_choice import narrowed
from muster_subagent.agent.loop_detection import ENDED_AFTER, TOLD_AFTER, repeated
from muster_subagent.agent.model_calls import Asker, BudgetSpent
from muster_subagent.agent.question_messages import Turn, conversation
from muster_subagent.agent.reply_calls import ReplyCalls
from muster_subagent.agent.result_judge import Judge
from muster_subagent.agent.toolset import FINISH
from muster_subagent.results import Made, shortened
from muster_subagent.task_log import Lines
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import Tool, Tools
from muster_subagent.tools.end import finish
from muster_text.values import fill_known

SILENT_REPLIES = 3
"""Replies in a row without a call or a result after which the sub-task ends."""
QUOTED = 300
"""Characters of a model's reply that the result repeats."""


class Allowance(NamedTuple):
    """What the loop is allowed: its tools, and the tokens of one question."""

    tools: Tools
    room: int
    judge: Judge | None = None
    """Judges the result; None: as that of a step."""
    ending: Tool = finish
    """The tool that ends the sub-task."""
    talks: bool = False
    """Whether a text without a call is the result."""


class AgentLoop:
    """One sub-task carried out by a model; everything it does is in the journal, so that a new holder goes on."""

    def __init__(
        self, executor: ToolExecutor, asker: Asker, lines: Lines, clauses: Sequence[Clause], allowed: Allowance
    ) -> None:
        self._task: SubTask = executor.task
        self._executor, self._asker, self._lines, self._clauses = executor, asker, lines, clauses
        self._room = allowed.room
        self._turns: list[Turn] = []
        self._silent = self._vain = 0
        """Replies in a row that were neither a call nor a result, and such that none of their calls could be made."""
        self._judge = allowed.judge or ClaimJudge(executor, asker, clauses)
        self._tools, self._talks = allowed.tools, allowed.talks
        self._calls = ReplyCalls(executor, self._judge, clauses, self._tools, allowed.ending)

    async def run(self, note: str = "") -> SubTaskResult:
        """Go on until there is a result; `note` tells the model of what was tried before.

        Raises:
            SessionLost, Fenced, ClaimLost: the sub-task is not this worker's any more.
        """
        view = await self._calls.show_page()
        view = f"{note}\n\n{view}" if note else view
        try:
            while True:
                result = await self._step(view)
                if result is not None:
                    return result
        except BudgetSpent as error:
            return self._judge.failed(error.failure, str(error))
        except ModelError as error:
            return unavailable(self._judge.facts(), error)

    def _surroundings(self, offered: Iterable[str]) -> str:
        """Return what the model is told of the machine: nothing where it is offered no tool that runs there."""
        runs = any(name in self._tools and self._tools[name].group == "shell" for name in offered)
        return self._executor.context.session.surroundings if runs else ""

    async def _step(self, view: str) -> SubTaskResult | None:
        offered = self._calls.offered()
        messages = conversation(
            self._task,
            [clause.text for clause in self._clauses],
            view,
            self._turns,
            instructions=self._instructions(),
            tools=offered.text,
            room=self._room,
            surroundings=self._surroundings(offered.names),
        )
        reply = await self._asker.ask(messages, tools=offered.schemas)
        heard = said(reply, self._tools.keys() | set(offered.names))
        if heard.calls:
            return await self._make_calls(reply, heard)
        answer = spoken(reply.text).text.strip() if self._talks else ""
        claim = Claimed("pass", answer) if answer else heard.claim
        if claim is not None:
            return await self._judge_claim(reply, claim)
        self._silent += 1
        self._turns.append(Turn(reply, note=heard.problem))
        if self._silent >= SILENT_REPLIES:
            return self._judge.failed(Failure.UNPARSABLE, f"the model gave no call and no result; {_told_of(reply)}")
        return None

    async def _make_calls(self, reply: Reply, heard: Said) -> SubTaskResult | None:
        self._silent, before = 0, self._calls.progress
        answers, result = await self._calls.make(heard, self._choose)
        self._vain = 0 if self._calls.progress > before else self._vain + 1
        note = self._going_in_circles() if result is None else ""
        for answer in answers if result is None else ():
            self._tell_sent_back(answer.text if answer.call == FINISH and answer.made else "")
        self._turns.append(Turn(reply, tuple(answers), note))
        return result or self._stuck(answers[-1].text)

    async def _judge_claim(self, reply: Reply, claim: Claimed) -> SubTaskResult | None:
        self._silent = 0
        result, told = await self._judge.judge(claim)
        self._tell_sent_back(told if result is None else "")
        self._turns.append(Turn(reply, note=told))
        return result

    async def _choose(self, made: Made) -> ToolCall | None:
        return await narrowed(self._asker, fill_known(self._task.description, self._task.step.values), made)

    def _instructions(self) -> str:
        """Return what the model is told first: what its agent's file says, and of skills what it has loaded."""
        skills = self._executor.context.skills
        return "\n\n".join(filter(None, (self._asker.instructions, skills.instructions() if skills else "")))

    def _tell_sent_back(self, told: str) -> None:
        if told:
            self._lines.tell("decision", f"the claimed result is sent back: {told}", level="warning")

    def _stuck(self, told: str) -> SubTaskResult | None:
        """Return the end of a model that repeats itself, or whose calls cannot be made; it was told so last."""
        if self._vain >= ENDED_AFTER:
            summary = f"none of the model's calls could be made, {ENDED_AFTER} replies in a row: {shortened(told)}"
            return self._judge.failed(Failure.UNPARSABLE, summary)
        if repeated(self._executor.made) < ENDED_AFTER:
            return None
        tool = self._executor.made[-1].call.tool
        return self._judge.failed(
            Failure.GAVE_UP, f"the model went in circles: {tool} {ENDED_AFTER} times, same outcome"
        )

    def _going_in_circles(self) -> str:
        if repeated(self._executor.made) < TOLD_AFTER:
            return ""
        self._lines.tell("decision", "the model repeats itself and is told so", level="warning")
        return "You have made this very call several times with the same outcome. Try something else, or finish."


def _told_of(reply: Reply) -> str:
    """Return what a person is told of a reply that says nothing."""
    text = reply.text.strip()
    if reply.withheld:
        return "the content filter of its server keeps its replies back"
    if reply.cut:
        return "its replies are cut off at the limit of tokens (SUB_AGENT_MAX_TOKENS, or the case's max_tokens)"
    return f"it says: “{text[:QUOTED]}”" if text else "its replies are empty"
