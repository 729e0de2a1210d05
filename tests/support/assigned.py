"""A stage for assignments: a fleet of real processes, and a model that is a script by the goal it is asked about."""

import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fleet import Fleet, fleet
from model_server import Answer, Asked, ModelServer, does, model_server, refuses

from muster_client.runs import submit
from muster_protocol.requests import Assignment, Limits, RunRequest

GOAL = re.compile(r"# Goal\n(.*?)(?:\n\n#|\Z)", re.DOTALL)
Part = Callable[[Asked], Answer]


def goal_of(asked: Asked) -> str:
    """Return the goal that a question is about."""
    found = GOAL.search(asked.question)
    return found.group(1).strip() if found else ""


def done(summary: str = "done", **more: Any) -> Answer:
    """Answer with the call that hands a result in."""
    return does(("finish", {"status": "done", "summary": summary, **more}))


def spawns(agent: str, task: str, **more: Any) -> Answer:
    """Answer with a call for one agent."""
    return does(("spawn", {"agent": agent, "task": task, **more}))


def fans_out(*tasks: tuple[str, str], **more: Any) -> Answer:
    """Answer with a call for several agents."""
    return does(("fan_out", {"tasks": [{"agent": agent, "task": task} for agent, task in tasks], **more}))


def in_turn(*answers: Answer, heard: list[str] | None = None) -> Part:
    """Return a script: an answer for each turn; `heard` gets what each question ends with."""

    def part(asked: Asked) -> Answer:
        if heard is not None:
            heard.append(asked.last)
        return answers[asked.turn]

    return part


class Team:
    """A fleet, and the scripts of its agents by their goals."""

    def __init__(self, group: Fleet, model: ModelServer) -> None:
        self.fleet, self.model = group, model
        self.parts: dict[str, Part] = {}
        self.asked: list[Asked] = []

    def answer(self, asked: Asked) -> Answer:
        """Return what the script of the goal answers that is asked about."""
        self.asked.append(asked)
        part = self.parts.get(goal_of(asked))
        return part(asked) if part else refuses(400, f"no script for: {asked.question[:300]}")

    def asked_about(self, goal: str) -> list[Asked]:
        """Return the questions about a goal."""
        return [asked for asked in self.asked if goal_of(asked) == goal]

    async def submits(self, goal: str, agent: str = "lead", limits: Limits | None = None, **more: Any) -> str:
        """Submit an assignment and return its run's id."""
        job = Assignment(goal=goal, agent=agent, **more)
        return (await submit(self.fleet.bus, RunRequest(job=job, limits=limits or Limits()))).run


LEAD = """\
kind: assign
description: Gives tasks to others.
tools: [shell, values, people, agents]
spawns: [lead, researcher, executor, reviewer, tester]
budget: {calls: 60}
instructions: You lead.
"""


@asynccontextmanager
async def team(folder: Path, *services: str, **environment: str) -> AsyncGenerator[Team]:
    """Start services and a model; there is an agent `lead` that may ask all others."""
    agents = folder / "agents"
    agents.mkdir()
    (agents / "lead.yaml").write_text(LEAD)
    with model_server(lambda _: refuses(503)) as model:
        settings = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "key",
            "SUB_AGENT_MODEL": "small",
            "AGENTS_DIR": str(agents),
        }
        async with fleet(folder, **(settings | environment)) as group:
            made = Team(group, model)
            model.script = made.answer
            for service in services:
                await group.start(service)
            yield made
