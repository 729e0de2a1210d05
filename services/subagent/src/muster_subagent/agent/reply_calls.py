"""Makes the calls of a model's reply in order, and words the answer that the model gets to each."""

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from muster_devices.outline import LEFT_OUT
from muster_evidence.binding import find_mismatch, find_no_refutation
from muster_evidence.proof import find_planted
from muster_model.asked_calls import Asked
from muster_model.reply_parser import Said
from muster_protocol.causes import Failure
from muster_protocol.codec import LARGEST, read_number
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall
from muster_subagent import metrics
from muster_subagent.agent.clause_prover import Clause
from muster_subagent.agent.model_calls import BudgetSpent
from muster_subagent.agent.question_messages import Answered
from muster_subagent.agent.result_judge import Judge
from muster_subagent.agent.toolset import (
    FINISH,
    OPEN_TOOLS,
    Toolset,
    ambiguous,
    groups_for,
    may_open,
    of_page,
    offers,
    toolset,
    wants_page,
)
from muster_subagent.agent_rights import usable
from muster_subagent.results import Made, act_of, evidence_of
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import Tool, ToolError, Tools, declared
from muster_subagent.tools.agent_permission import find_excess
from muster_subagent.tools.page_tools import snapshot
from muster_subagent.tools.page_view import lean

LAST_CHANCES = 2
"""How often the agent of an assignment is told that its calls are used up before that ends it."""
LONGEST_ANSWER = 4_000
"""Characters of a tool's result that a model is told; tools shorten theirs before, and store the whole."""


Choose = Callable[[Made], Awaitable[ToolCall | None]]
"""Has a model choose which of several elements a call means."""


class Bar(NamedTuple):
    """Why further calls of a reply are not made."""

    text: str
    everything: bool = False
    """Else only what acts: looking, and claiming a result, is of the page as it is now."""
    results: bool = False
    """Results as well; more may be asked of others."""

    def stops(self, asked: Asked, tools: Tools) -> bool:
        """Return whether a call is not made."""
        if self.everything or asked.tool in (FINISH, OPEN_TOOLS):
            return self.everything or (self.results and asked.tool == FINISH)
        tool = declared(tools, asked.tool)
        return tool.effect in CHANGING and not (self.results and tool.delegates)


_FAILED = Bar("not done: the call before it failed", everything=True)
_MOVED = Bar("not done: the page has changed since; look at it first")
_UNHEARD = Bar("not done: it was asked for before the answer of others was there; read that first", results=True)


class ReplyCalls:
    """What the model of one sub-task can call. The tools that it is offered follow the pages that it was shown."""

    def __init__(
        self, executor: ToolExecutor, judge: Judge, clauses: Sequence[Clause], tools: Tools, ending: Tool
    ) -> None:
        self._executor, self._judge, self._clauses, self._tools, self._ending = executor, judge, clauses, tools, ending
        self._task = executor.task
        self._over_budget = 0
        """Calls that were asked for after the last that may be made."""
        self.words = " ".join((executor.task.description, *executor.task.step.written))
        """What a person wrote of the step."""
        self.on_page = wants_page(self.words)
        unread = [clause.text for clause in clauses if not clause.checks]
        self._opened = set(groups_for(tools, self.words, clauses=unread))
        if self._task.by_rights:  # a goal's words do not say which tools it needs
            self.on_page = bool(self._task.assigned.url)
            self._opened = {
                offer.name for offer, members in offers(tools).items() if self.on_page or not of_page(members)
            }
        self._by_name = True
        """No page it was shown has elements that names do not tell apart."""

    @property
    def progress(self) -> int:
        """How many calls were made and groups of tools opened; replies that change neither lead nowhere."""
        return len(self._executor.made) + len(self._opened)

    def offered(self) -> Toolset:
        """Return the tools for the next question."""
        names, seen = self._by_name, self._has_page()
        skills = self._executor.context.skills
        mine = usable(self._tools, skills.permissions, in_session=True, skilled=True) if skills else self._tools
        return toolset(mine, self._opened, on_page=self.on_page, by_name=names, seen=seen, ending=self._ending)

    def _has_page(self) -> bool:
        """Return whether the model has seen the whole page since anything may have changed it."""
        newest = next((it for it in reversed(self._executor.made) if it.changes or it.tool.outline == "whole"), None)
        if newest is None or newest.tool.outline != "whole" or newest.outcome.status != "ok":
            return False
        return LEFT_OUT not in newest.outcome.text

    async def show_page(self) -> str:
        """Return the page as the model is shown it; "" where its agent may not look at it, or not yet."""
        call, context = ToolCall(tool=snapshot.name), self._executor.context
        if not self.on_page or find_excess(context.permissions, snapshot, call, context.session.kind, ()):
            return ""
        return self._seen(await self._executor.make(call, by_model=True))

    async def make(self, heard: Said, choose: Choose) -> tuple[list[Answered], SubTaskResult | None]:
        """Make the calls of one reply in order; once one fails, or the page has become another, what was meant for the
        page as it was is not done. `choose` is asked where a call that was written as text means several elements."""
        claims = {str(call.arguments.get("status")) for call in heard.calls if call.tool == FINISH}
        bar = Bar("not done: the reply claims two results", everything=True) if len(claims) > 1 else None
        answers: list[Answered] = []
        for asked in heard.calls:
            if bar is not None and bar.stops(asked, self._tools):
                answers.append(Answered(asked.id, self._shown(asked), bar.text, made=False))
                bar = bar._replace(everything=True)  # a result that counts on a call that was not made is none
            elif asked.tool == FINISH:
                result, told = await self._judge.finish(asked)
                answers.append(Answered(asked.id, FINISH, told))
                if result is not None:
                    return answers, result
                bar = Bar("not done: the result before it was not accepted", everything=True)
            else:
                text, found = await self._do(asked, choose)
                bar = found or bar
                answers.append(Answered(asked.id, self._shown(asked), text))
        return answers, None

    async def _do(self, asked: Asked, choose: Choose) -> tuple[str, "Bar | None"]:
        """Make one call; return what the model is told, and what keeps further calls of its reply from being made."""
        if asked.tool == OPEN_TOOLS:
            return self._open(str(asked.arguments.get("group", ""))), None
        problem = asked.problem or self._forbidden(asked)
        if problem:
            return f"error: {problem}", _FAILED
        before = self._where()
        call = ToolCall(tool=asked.tool, arguments=_without_clause(asked), clause=self._clause(asked))
        made = await self._executor.make(call, by_model=True)
        chosen = await choose(made) if made.outcome.alike and not asked.id else None
        if chosen is not None and not self._forbidden(asked._replace(arguments=chosen.arguments)):
            made = await self._executor.make(chosen, by_model=True)
        if made.outcome.status == "error":
            return _told(made), _FAILED
        view = self._seen(made) if made.tool.outline == "whole" else ""
        moved = made.changes and before not in ("", self._where())
        bar = _UNHEARD if made.tool.delegates or made.tool.source == "person" else _MOVED if moved else None
        return _told(made, view) + self._uncounted(made), bar

    def _uncounted(self, made: Made) -> str:
        """Return why a check says nothing of its clause, as the model is told, or ""."""
        if not made.clause or made.tool.effect != "check":
            return ""
        check = evidence_of(self._task, made, self._executor.captured)
        why = (find_mismatch if check.passed else find_no_refutation)(made.clause, check, self._executor.values)
        return f"\n(not counted: {why})" if why else ""

    def _forbidden(self, asked: Asked) -> str:
        """Return why a call is not made at all, or ""."""
        if asked.tool not in self._tools:
            return self._unknown(asked)
        if len(self._executor.made) + self._task.delegated.calls >= self._task.budget.calls:
            return self._spent()
        if self._task.by_rights:  # its goal is to bring something about
            return ""
        call = ToolCall(tool=asked.tool, arguments=_without_clause(asked))
        made = Made(0, call, self._tools[asked.tool], _NOTHING)
        if made.changes:
            act = act_of(self._task, made, self._executor.captured)
            literal = find_planted(act, self._task.step.guarded, anyhow=not self._task.step.covers)
            if literal:
                return f"this would bring about {literal!r} by itself, which only the product may do"
        return ""

    def _unknown(self, asked: Asked) -> str:
        """Return why a call is not made whose tool the model has not got."""
        if asked.tool in self._executor.tools:
            metrics.TOOL_REFUSALS.labels("tool").inc()
            self._judge.refuse(self._shown(asked))
            return f"the tool {asked.tool!r} is not for this agent"
        return f"there is no tool {asked.tool!r}"

    def _spent(self) -> str:
        """Return that no call is left; an assignment may hand in what it has, and so is told before it ends.

        Raises:
            BudgetSpent: it was told.
        """
        text = f"{self._task.budget.calls} tool calls are used up"
        self._over_budget += 1
        if not self._task.by_rights or self._over_budget > LAST_CHANCES:
            raise BudgetSpent(text)
        return f"{text}: finish now with what you have"

    def _open(self, group: str) -> str:
        if not may_open(self._tools, group):
            return f"error: there is no group {group!r}"
        self._opened.add(group)
        return f"the tools of {group} are there now"

    def _seen(self, made: Made) -> str:
        """Return a page as the model is shown it, and have it offered the tools for what is there."""
        view = lean(made.outcome.text)
        self._opened |= groups_for(self._tools, self.words, made.outcome.text)
        self._by_name = self._by_name and not ambiguous(view)
        return view

    def _where(self) -> str:
        return next((made.outcome.where for made in reversed(self._executor.made) if made.outcome.where), "")

    def _shown(self, asked: Asked) -> str:
        return self._executor.describe(ToolCall(tool=asked.tool, arguments=_without_clause(asked)))

    def _clause(self, asked: Asked) -> str:
        """Return the clause a check says it proves, by its number."""
        number = clause_number(asked.arguments.get("clause"))
        is_check = declared(self._tools, asked.tool).effect == "check"
        return self._clauses[number - 1].text if is_check and 0 < number <= len(self._clauses) else ""


def clause_number(given: ArgumentValue) -> int:
    """Return the number that an argument holds, which may be written as a text; 0: none that counts anything. Pure."""
    if isinstance(given, str):
        return read_number(given.strip())
    if isinstance(given, bool) or not isinstance(given, int | float):
        return 0
    return int(given) if 0 < given <= LARGEST else 0


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
