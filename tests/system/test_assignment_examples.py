"""The examples of assignments, with the agent they come with, on a fleet whose model is a script."""

import shutil
from pathlib import Path
from typing import cast

import pytest
from assigned import Team, done, in_turn, spawns, team
from msgspec.structs import replace

from muster_cli.assignment_jobs import read_assignments
from muster_client.runs import submit
from muster_protocol.requests import Assignment
from muster_protocol.verdicts import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples" / "assignments"


async def run_example(crew: Team, name: str) -> list[Verdict]:
    """Return the verdicts of a file's assignments, which here have no workspace."""
    verdicts: list[Verdict] = []
    for job in read_assignments(EXAMPLES / name):
        wanted = cast("Assignment", job.case.request.job)
        request = replace(job.case.request, job=replace(wanted, workspace=""))
        verdicts.append(await crew.fleet.verdict((await submit(crew.fleet.bus, request)).run))
    return verdicts


@pytest.mark.slow
async def test_the_uses_of_teams(tmp_path: Path):
    async with team(tmp_path) as crew:
        shutil.copy(EXAMPLES / "agents" / "lead.yaml", tmp_path / "agents" / "lead.yaml")
        await crew.fleet.start("orchestrator")
        await crew.fleet.start("subagent")
        for goal in ("Research", "Plan", "Make it", "Review", "Mend it", "Review again", "Write tests", "Run tests"):
            crew.parts[goal] = lambda asked, goal=goal: done(f"{goal}: done")
        crew.parts["Review"] = lambda _: done("one fault", findings=[{"text": "no expiry"}])

        [add_jwt] = read_assignments(EXAMPLES / "research-then-implement.yaml")
        crew.parts[cast("Assignment", add_jwt.case.request.job).goal] = in_turn(
            spawns("researcher", "Research"),
            spawns("planner", "Plan"),
            spawns("executor", "Make it"),
            spawns("reviewer", "Review"),
            spawns("executor", "Mend it"),
            spawns("reviewer", "Review again"),
            done("JWT is there"),
        )
        [built] = await run_example(crew, "research-then-implement.yaml")

        [discount] = read_assignments(EXAMPLES / "test-driven.yaml")
        crew.parts[cast("Assignment", discount.case.request.job).goal] = in_turn(
            spawns("tester", "Write tests"),
            spawns("executor", "Make it"),
            spawns("tester", "Run tests"),
            done("5 pass"),
        )
        [driven] = await run_example(crew, "test-driven.yaml")

        for job in read_assignments(EXAMPLES / "parallel-research.yaml"):
            crew.parts[cast("Assignment", job.case.request.job).goal] = lambda _: done("found")
        researched = await run_example(crew, "parallel-research.yaml")

        [planned] = read_assignments(EXAMPLES / "planned-work.yaml")
        goal = cast("Assignment", planned.case.request.job).goal
        steps = [
            {"id": "tests", "task": "Write tests", "agent": "tester"},
            {"id": "code", "task": "x", "needs": ["tests"]},
        ]
        crew.parts[f"Make a plan for this goal, which others carry out: {goal}"] = lambda _: done(
            "planned", output={"steps": steps, "risks": [{"text": "Old clients send no token", "steps": ["code"]}]}
        )
        crew.parts["Carry out step tests of a plan: Write tests"] = lambda _: done("3 tests fail")
        crew.parts["Carry out step code of a plan: x"] = lambda _: done("they pass")
        crew.parts[f"Review what was done for this goal: {goal}"] = lambda _: done("fine", output={"faults": []})
        [coordinated] = await run_example(crew, "planned-work.yaml")

    assert (coordinated.status, coordinated.summary) == ("done", "2 of 2 steps done, 1 reviews")
    assert (built.status, built.summary, len(built.results)) == ("done", "JWT is there", 7)
    assert (driven.status, driven.summary, len(driven.results)) == ("done", "5 pass", 4)
    assert [(verdict.status, verdict.summary) for verdict in researched] == [("done", "found")] * 3
    told = crew.asked_about(cast("Assignment", add_jwt.case.request.job).goal)[4].last
    assert "- no expiry" in told
