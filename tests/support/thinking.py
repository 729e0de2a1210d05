"""A stage for runs with a model: a fleet of real processes, a scripted model behind HTTP, and a site to test."""

import itertools
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fleet import Fleet, fleet
from model_server import Answer, Asked, ModelServer, Script, gives, model_server, refuses
from pages import Page, Site, site

from muster_bus import replay
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.journal import JournalEntry
from muster_protocol.logs import LogRecord
from muster_protocol.requests import Limits, RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict

MARK = re.compile(r"/c(\d+)/")
FORM = """<h1>Sign up</h1><form action="@/done"><label>Name <input name="name"></label>
<label>Mail <input name="mail"></label><button>Send</button></form>"""
DONE = """<h1>Welcome</h1><p>Thank you, we have written to you.</p><p>Order total: $59.98</p>"""
SIGN_UP = {"": FORM, "done": DONE}
"""A site with a form that leads to a page of thanks."""


def plan_as_written(count: int) -> Answer:
    """Return a planner's answer: every step as it is."""
    return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in range(1, count + 1)]})


class Play(NamedTuple):
    """A case to be run: pages by their name, steps as (action, expected), and what the model does."""

    pages: Mapping[str, Page]
    steps: Sequence[tuple[str, str]]
    script: Script
    preconditions: tuple[str, ...] = ()
    limits: Limits = Limits()
    more: Mapping[str, Any] = {}
    """Further fields of the case."""


class Stage:
    """Runs plays, any number at once: each has a place of its own on the site, by which its script is found."""

    def __init__(self, group: Fleet, model: ModelServer, shop: Site) -> None:
        self.fleet, self.model, self.site = group, model, shop
        self._scripts: dict[int, Script] = {}
        self._numbers = itertools.count(1)

    def answer(self, asked: Asked) -> Answer:
        """Return what the script of the run answers that asks."""
        found = MARK.search(asked.text)
        script = self._scripts.get(int(found.group(1))) if found else None
        if script is None and len(self._scripts) == 1:  # a question about a picture says nothing of where it is from
            [script] = self._scripts.values()
        return script(asked) if script else refuses(400, f"no run of this test asks so: {asked.text[:300]}")

    async def run(self, play: Play, seconds: float = 60.0) -> tuple[Verdict, str]:
        """Run a play and return its verdict and the run's id. `@` in its texts is the address of its place."""
        number = next(self._numbers)
        place = f"{self.site.url}/c{number}"
        self._scripts[number] = play.script
        for name, page in play.pages.items():
            self.site.pages[f"/c{number}/{name}"] = _placed(page, place)
        steps = tuple(Step(action=a.replace("@", place), expected=e.replace("@", place)) for a, e in play.steps)
        before = tuple(text.replace("@", place) for text in play.preconditions)
        case = TestCase(name=f"Case at {place}/", steps=steps, preconditions=before, **play.more)
        run = (await submit(self.fleet.bus, RunRequest(job=case, limits=play.limits))).run
        return await self.fleet.verdict(run, seconds), run

    async def lines(self, run: str) -> list[str]:
        """Return the lines of a run's log, all sources."""
        names = self.fleet.bus.names
        found: list[str] = []
        async for message in replay(self.fleet.bus, "LOGS", names.log(run, "*")):
            found.append(codec.decode(message.data, LogRecord).text)
        return found

    async def journal(self, task: str) -> list[JournalEntry]:
        """Return the journal of a sub-task, `<run>.<node>.<attempt>`."""
        return await self.fleet.journal(task)


def _placed(page: Page, place: str) -> Page:
    return page.replace("@", place) if isinstance(page, str) else page


@asynccontextmanager
async def stage(folder: Path, workers: int = 1, **environment: str) -> AsyncGenerator[Stage]:
    """Start everything a run with a model needs. Scripts play models that are asked, so nothing is replayed."""
    with model_server(lambda _: refuses(503)) as model, site() as shop:
        settings = {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "key",
            "SUB_AGENT_MODEL": "small",
            "ORCHESTRATOR_MODEL": "large",
            "ACTION_TIMEOUT_SECONDS": "1",
            "ACT_SLOTS": "4",
            "RECORDINGS": "off",
        }
        async with fleet(folder, **(settings | environment)) as group:
            for service in ("orchestrator", "sessions", *["subagent"] * workers):
                await group.start(service)
            made = Stage(group, model, shop)
            model.script = made.answer
            yield made
