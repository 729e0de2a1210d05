"""Works on a goal with other agents in turn: one plans, others carry out the steps, one reviews, and they rework.

No model leads: which agent is asked next follows from what came before, and all of it is in the journal.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from muster_agents import Agent, AgentWorkflow
from muster_protocol.assignments import Found
from muster_protocol.causes import Failure
from muster_protocol.goal_plans import Fault, GoalPlan, GoalStep, PlanOutcome, Review, StepOutcome
from muster_protocol.tasks import ChildEnd, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.agent.assignment_end import Delivered
from muster_subagent.agent.assignment_judge import AssignmentJudge
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import Wish
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools.delegation_tools import fan_out
from muster_subagent.workflows import goal_steps

PLAN = "plan"
"""The input that holds a plan to be carried out, as JSON; without it, one is made."""
PLAN_TRIES = 2
REWORK = "rework"


class Stopped(Exception):
    """The workflow cannot go on; says why."""


class GoalWork:
    """The workflow of one assignment. After a wait it runs again from its beginning, and the journal answers."""

    def __init__(
        self, executor: ToolExecutor, judge: AssignmentJudge, agent: Agent, agents: Mapping[str, Agent], lines: Lines
    ) -> None:
        assert agent.workflow is not None
        self._executor, self._judge, self._agent, self._lines = executor, judge, agent, lines
        self._flow: AgentWorkflow = agent.workflow
        self._goal = executor.task.description
        inside = {self._flow.planner, self._flow.reviewer}
        self._workers = {id: agents[id].description for id in agent.spawns if id in agents and id not in inside}
        self._outcomes: dict[str, StepOutcome] = {}
        self._before: dict[str, str] = {}
        """Why steps failed when they were last tried."""
        self._tries: dict[str, int] = {}

    async def run(self) -> SubTaskResult:
        """Go on until the goal is met, or what is still wrong may not be reworked any more."""
        try:
            plan = await self._plan()
            if self._flow.do == "plan_for_goal":
                return await self._deliver(Delivered(True, f"a plan of {len(plan.steps)} steps", output=_plain(plan)))
            outcome = await self._execute(plan)
        except Stopped as error:
            return self._judge.failed(Failure.GAVE_UP, str(error))
        found = tuple(Found(text=it.text, file=it.file, line=it.line) for it in outcome.open)
        summary = goal_steps.describe_outcome(outcome)
        return await self._deliver(Delivered(not outcome.open, summary, found, _plain(outcome)))

    async def _plan(self) -> GoalPlan:
        given = self._executor.task.assigned.inputs
        if PLAN in given:
            plan = goal_steps.read_plan(given[PLAN], self._workers)
            if isinstance(plan, str):
                raise Stopped(f"the given plan cannot be used: {plan}")
            return plan
        problem = ""
        for _ in range(PLAN_TRIES):
            task = goal_steps.plan_task(self._goal, given, self._workers, self._agent.instructions, problem)
            [(end, result)] = await self._ask([self._wish(self._flow.planner, task, GoalPlan)])
            if result is None or end.status != "pass":
                raise Stopped(f"there is no plan: {end.summary}")
            plan = goal_steps.read_plan(result.assigned.output, self._workers)
            if not isinstance(plan, str):
                self._lines.tell("decision", f"the plan has {len(plan.steps)} steps: {', '.join(_ids(plan))}")
                return plan
            problem = plan
        raise Stopped(f"there is no plan that can be used: {problem}")

    async def _execute(self, plan: GoalPlan) -> PlanOutcome:
        reviews: list[Review] = []
        for reworks in range(self._flow.rounds + 1):
            await self._carry_out(plan)
            faults = self._failed(plan)
            if not faults:
                reviews.append(await self._review(reviews[-1].faults if reviews else ()))
                faults = reviews[-1].faults
            last = reworks == self._flow.rounds
            if not faults or last:
                return PlanOutcome(
                    plan=plan, steps=self._steps(plan), reviews=tuple(reviews), reworks=reworks, open=tuple(faults)
                )
            self._lines.tell("decision", f"rework {reworks + 1} of {self._flow.rounds}: {faults[0].text}")
            if reviews:
                await self._mend(faults, reworks + 1)
            else:
                self._forget_failed()
        raise AssertionError("the last round returns")

    async def _carry_out(self, plan: GoalPlan) -> None:
        """Have all steps carried out that can be, those at once that need each other not."""
        while due := goal_steps.due_steps(plan, self._outcomes):
            wishes = [self._wish(self._who(step), self._step_task(step, plan)) for step in due]
            for step, (end, _) in zip(due, await self._ask(wishes), strict=True):
                self._take(step, end)

    def _step_task(self, step: GoalStep, plan: GoalPlan) -> str:
        return goal_steps.step_task(self._goal, step, plan, self._outcomes, self._before.get(step.id, ""))

    def _take(self, step: GoalStep, end: ChildEnd) -> None:
        self._tries[step.id] = self._tries.get(step.id, 0) + 1
        status = "done" if end.status == "pass" else "failed"
        self._outcomes[step.id] = StepOutcome(
            id=step.id, status=status, agent=end.agent, summary=end.summary, tries=self._tries[step.id]
        )

    def _failed(self, plan: GoalPlan) -> tuple[Fault, ...]:
        lacking = [it for it in self._steps(plan) if it.status == "failed"]
        return tuple(Fault(text=f"step {it.id} failed: {it.summary}") for it in lacking)

    def _forget_failed(self) -> None:
        failed = {id: it.summary for id, it in self._outcomes.items() if it.status == "failed"}
        self._before |= failed
        self._outcomes = {id: it for id, it in self._outcomes.items() if id not in failed}

    def _steps(self, plan: GoalPlan) -> tuple[StepOutcome, ...]:
        skipped = {it.id: it for it in goal_steps.skipped_steps(plan, self._outcomes)}
        return tuple({**self._outcomes, **skipped}[id] for id in _ids(plan))

    async def _review(self, mended: Sequence[Fault]) -> Review:
        task = goal_steps.review_task(self._goal, self._outcomes.values(), mended)
        [(end, result)] = await self._ask([self._wish(self._flow.reviewer, task, Review)])
        if result is None or end.status != "pass":
            raise Stopped(f"the work was not reviewed: {end.summary}")
        try:
            return msgspec.convert(result.assigned.output, Review)
        except msgspec.ValidationError as error:
            raise Stopped(f"the review cannot be read: {error}") from error

    async def _mend(self, faults: Sequence[Fault], number: int) -> None:
        """Have faults mended; whether they are is for the next review to say."""
        task = goal_steps.mend_task(self._goal, faults)
        [(end, _)] = await self._ask([self._wish(self._flow.mender, task)])
        self._take(GoalStep(id=f"{REWORK}-{number}", task=task), end)

    def _who(self, step: GoalStep) -> str:
        return step.agent or self._flow.mender

    def _wish(self, agent: str, task: str, shape: type[Struct] | None = None) -> Wish:
        return Wish(agent=agent, task=task, output_schema=msgspec.json.schema(shape) if shape else {})

    async def _ask(self, wishes: Sequence[Wish]) -> list[tuple[ChildEnd, SubTaskResult | None]]:
        """Have others work, and return how each ended and its whole result.

        Raises:
            Stopped: they may not be asked.
        """
        delegate, call = self._executor.context.delegate, f"{self._executor.task.id}:{len(self._executor.made)}"
        tasks = msgspec.json.encode(wishes).decode()
        made = await self._executor.make(ToolCall(tool=fan_out.name, arguments={"tasks": tasks}))
        ends = delegate.ends(call) if delegate else None
        if delegate is None or ends is None:
            raise Stopped(made.outcome.text)
        return [(end, await delegate.result(end)) for end in ends]

    async def _deliver(self, given: Delivered) -> SubTaskResult:
        """Return the result, with the evidence that is asked for; nobody is there to mend it."""
        result, told = await self._judge.deliver(given)
        if result is None:
            result, told = await self._judge.deliver(given)
        return result or self._judge.failed(Failure.GAVE_UP, told)


def _ids(plan: GoalPlan) -> list[str]:
    return [step.id for step in plan.steps]


def _plain(value: Struct) -> object:
    return msgspec.to_builtins(value)
