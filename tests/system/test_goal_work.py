"""A goal is planned, carried out, reviewed and reworked on a fleet of real processes; the model is a script."""

import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from assigned import Team, done, goal_of, team
from model_server import Answer, Asked, does
from msgspec import convert
from waiting import eventually

from muster_bus.run_store import read_entries
from muster_protocol.events import SubTaskDispatched
from muster_protocol.goal_plans import GoalPlan, PlanOutcome

pytestmark = pytest.mark.asyncio(loop_scope="module")
GOAL = "Add JWT to the API"
STEPS = [
    {"id": "tests", "task": "Write tests", "agent": "tester", "done_when": "they fail"},
    {"id": "docs", "task": "Write docs"},
    {"id": "code", "task": "Write code", "needs": ["tests"]},
]
PLAN = {"steps": STEPS, "risks": [{"text": "tokens never expire", "steps": ["code"], "notice": "read exp"}]}
AGENTS = {"mine.yaml": "kind: assign\ninstructions: As few steps as can be.\ntools: [workspace, values, agents]\n"
          "spawns: [planner, executor, tester, reviewer]\nbudget: {calls: 60}\n"
          "workflow: {do: execute_plan, rounds: 1}\n"}  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    """One worker with one slot: the workflow and those that it asks share it."""
    folder = tmp_path_factory.mktemp("fleet")
    async with team(folder, THINK_SLOTS="1", ACT_SLOTS="1") as made:
        (folder / "agents" / "mine.yaml").write_text(AGENTS["mine.yaml"])
        await made.fleet.start("orchestrator")
        await made.fleet.start("subagent")
        yield made


Said = Answer | Callable[[int], Answer]
"""What an agent answers, or does at the number of times that it was asked."""


class Cast:
    """Scripts by how a task begins, and what was asked, in order."""

    def __init__(self, crew: Team, **parts: Said) -> None:
        self.asked: list[Asked] = []
        self._parts = parts
        crew.model.script = self.answer

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        task = goal_of(asked)
        word = {"Make": "plan", "Review": "review", "Mend": "mend"}.get(task.split()[0]) or task.split()[3]
        said = self._parts[word]
        return said if isinstance(said, Answer) else said(self.count(word))

    def count(self, word: str) -> int:
        """Return how often an agent was asked for this part."""
        return len(self.tasks(word))

    def tasks(self, word: str) -> list[str]:
        """Return the tasks of a part, in order."""
        begin = {"plan": "Make", "review": "Review", "mend": "Mend"}.get(word, f"Carry out step {word} ")
        return [text for text in map(goal_of, self.asked) if text.startswith(begin)]


def reviewed(*faults: str) -> Answer:
    return done("reviewed", output={"faults": [{"text": it, "file": "jwt.py", "line": 7} for it in faults]})


def failed(why: str) -> Answer:
    return does(("finish", {"status": "failed", "summary": why}))


async def test_a_goal_is_planned_carried_out_reviewed_and_reworked(crew: Team):
    cast = Cast(
        crew,
        plan=done("planned", output=PLAN),
        tests=done("5 tests fail"),
        docs=done("documented"),
        code=done("jwt.py is there"),
        review=lambda n: reviewed("no expiry") if n == 1 else reviewed(),
        mend=done("exp is read"),
    )
    run = await crew.submits(GOAL, "coordinator", inputs={"spec": "RFC 7519"})
    verdict = await crew.fleet.verdict(run)

    assert (verdict.status, verdict.summary) == ("done", "3 of 3 steps done, 2 reviews, 1 rounds of rework")
    outcome = convert(verdict.results[-1].assigned.output, PlanOutcome)
    assert outcome.plan == convert(PLAN, GoalPlan)
    assert [(it.id, it.status, it.agent, it.tries) for it in outcome.steps] == [
        ("tests", "done", "tester", 1),
        ("docs", "done", "executor", 1),
        ("code", "done", "executor", 1),
    ]
    assert [[it.text for it in review.faults] for review in outcome.reviews] == [["no expiry"], []]
    assert (outcome.reworks, outcome.open) == (1, ())
    events = [event for entry in await read_entries(crew.fleet.bus, run) for event in entry.events]
    agents = [it.sub_task.agent for it in events if isinstance(it, SubTaskDispatched) if not it.sub_task.resumed]
    assert agents == ["coordinator", "planner", "tester", "executor", "executor", "reviewer", "executor", "reviewer"]
    assert "RFC 7519" in cast.asked[0].question
    assert "no expiry (jwt.py:7)" in str([it.messages for it in cast.asked if goal_of(it).startswith("Mend")])
    code = next(it for it in cast.asked if goal_of(it).startswith("Carry out step code"))
    assert "5 tests fail" in code.question
    assert "tokens never expire" in code.question
    assert "documented" not in code.question


async def test_a_step_that_fails_is_tried_again_and_what_needs_it_waits(crew: Team):
    cast = Cast(
        crew,
        plan=done("planned", output=PLAN),
        tests=lambda n: failed("no runner") if n == 1 else done("5 tests fail"),
        docs=done("documented"),
        code=done("there"),
        review=reviewed(),
    )
    verdict = await crew.fleet.verdict(await crew.submits(GOAL, "coordinator"))

    assert (verdict.status, verdict.summary) == ("done", "3 of 3 steps done, 1 reviews, 1 rounds of rework")
    assert [cast.count(it) for it in ("tests", "docs", "code", "review")] == [2, 1, 1, 1]
    again = [it for it in cast.asked if goal_of(it).startswith("Carry out step tests")][1]
    assert "no runner" in again.question


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "mends"), [("coordinator", 2), ("mine", 1)])
async def test_what_is_still_wrong_after_the_last_round_is_told_and_nothing_is_called_done(
    crew: Team, agent: str, mends: int
):
    cast = Cast(
        crew,
        plan=done("planned", output={"steps": [{"id": "code", "task": "Write code"}]}),
        code=done("there"),
        review=reviewed("no expiry"),
        mend=done("mended, I say"),
    )
    verdict = await crew.fleet.verdict(await crew.submits(GOAL, agent))
    result = verdict.results[-1]

    assert (verdict.status, verdict.cause) == ("failed", "agent")
    assert verdict.summary.endswith("still wrong: no expiry")
    assert [(it.text, it.file, it.line) for it in result.assigned.findings] == [("no expiry", "jwt.py", 7)]
    assert (cast.count("mend"), cast.count("review")) == (mends, mends + 1)


@pytest.mark.slow
async def test_a_plan_that_cannot_be_used_is_sent_back_once(crew: Team):
    bad = done("planned", output={"steps": [{"id": "code", "task": "Write code", "needs": ["tests"]}]})
    good = done("planned", output={"steps": [{"id": "code", "task": "Write code"}]})
    cast = Cast(crew, plan=lambda n: bad if n == 1 else good, code=done("there"), review=reviewed())
    mended = await crew.fleet.verdict(await crew.submits(GOAL, "mine"))
    told = [it for it in cast.asked if goal_of(it).startswith("Make")]
    Cast(crew, plan=bad)
    never = await crew.fleet.verdict(await crew.submits(GOAL, "mine"))

    assert mended.status == "done"
    assert "step code needs 'tests', which is no step" in told[1].question
    assert "As few steps as can be." in told[0].question
    assert (never.status, never.summary) == (
        "failed",
        "there is no plan that can be used: step code needs 'tests', which is no step",
    )


@pytest.mark.slow
async def test_what_nobody_could_review_is_not_done(crew: Team):
    Cast(
        crew,
        plan=done("planned", output={"steps": [{"id": "code", "task": "Write code"}]}),
        code=done("there"),
        review=failed("I cannot read it"),
    )
    verdict = await crew.fleet.verdict(await crew.submits(GOAL, "mine"))

    assert (verdict.status, verdict.summary) == ("failed", "the work was not reviewed: I cannot read it")


@pytest.mark.slow
async def test_a_plan_is_made_and_later_carried_out_as_it_was_made(crew: Team):
    Cast(crew, plan=done("planned", output=PLAN))
    planned = await crew.fleet.verdict(await crew.submits(GOAL, "goal-planner"))
    made = planned.results[-1].assigned.output
    cast = Cast(crew, tests=done("t"), docs=done("d"), code=done("c"), review=reviewed())
    carried = await crew.fleet.verdict(await crew.submits(GOAL, "coordinator", inputs={"plan": json.dumps(made)}))
    wrong = await crew.fleet.verdict(await crew.submits(GOAL, "coordinator", inputs={"plan": "{}"}))

    assert (planned.status, planned.summary) == ("done", "a plan of 3 steps")
    assert convert(made, GoalPlan) == convert(PLAN, GoalPlan)
    assert (carried.status, cast.count("plan")) == ("done", 0)
    assert wrong.summary.startswith("the given plan cannot be used: this is no plan:")


@pytest.mark.slow
async def test_a_workflow_goes_on_at_another_worker_and_asks_nobody_twice(tmp_path: Path):
    async with team(tmp_path) as crew:
        await crew.fleet.start("orchestrator")
        worker = await crew.fleet.start("subagent")
        cast = Cast(
            crew,
            plan=done("planned", output=PLAN),
            tests=done("t"),
            docs=done("d"),
            code=done("c"),
            review=reviewed(),
        )
        run = await crew.submits(GOAL, "coordinator")
        await eventually(lambda: cast.count("tests") or None, "a step is carried out")
        worker.kill()
        await worker.wait()
        await crew.fleet.start("subagent")
        verdict = await crew.fleet.verdict(run, 90.0)

    assert verdict.status == "done"
    assert (cast.count("plan"), cast.count("review")) == (1, 1)
