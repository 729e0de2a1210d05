"""Runs the same case again and again on one site, with recordings of steps between the runs."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from model_server import Answer, Asked, Script, does, passes, refuses
from pages import Page
from thinking import Stage, plan_as_written, stage
from waiting import eventually

from muster_bus import Rows
from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.step_recordings import HealPolicy, RecordingRow
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict

Steps = Sequence[tuple[str, str]]
OPEN = ('Open "${base_url}/"', 'The title is "Page"')


def sure(*calls: tuple[str, dict[str, Any]]) -> Script:
    """Return a model that makes these calls and is certain that all is well."""

    def script(_: Asked) -> Answer:
        return does(*calls, passes("done, quite sure"))

    return script


class Seen(NamedTuple):
    """One run: its verdict, its id, and how often models were asked."""

    verdict: Verdict
    run: str
    asked: int

    @property
    def last(self) -> SubTaskResult:
        """The result of its last step."""
        return self.verdict.results[-1]

    @property
    def sources(self) -> list[str]:
        """Of each step in order."""
        return [result.source for result in self.verdict.results]


class Rerunner:
    """A fleet whose runs remember."""

    def __init__(self, made: Stage) -> None:
        self.stage = made
        self.rows = Rows(made.fleet.bus, "RECORDINGS", RecordingRow)

    async def run(
        self,
        pages: Mapping[str, Page],
        steps: Steps,
        script: Script | None,
        *,
        app: str = "app",
        heal: HealPolicy = "use",
        variables: Mapping[str, str] | None = None,
        kept: int | None = None,
        **more: Any,
    ) -> Seen:
        """Run a case on these pages; without a script nobody may ask a model. `kept`: rows there must be afterwards."""
        place = f"{self.stage.site.url}/{app}"
        self.stage.site.pages = {f"/{app}/{name}": _placed(page, place) for name, page in pages.items()}
        asked = 0

        def answer(question: Asked) -> Answer:
            nonlocal asked
            asked += 1
            if script is None:
                return refuses(400, "nobody may ask")
            return plan_as_written(len(steps)) if question.role == "planner" else script(question)

        self.stage.model.script = answer
        case = TestCase(
            name=f"Case of {app}",
            steps=tuple(Step(action=action, expected=expected) for action, expected in steps),
            variables={"base_url": place, **(variables or {})},
            **more,
        )
        run = (await submit(self.stage.fleet.bus, RunRequest(job=case, heal=heal))).run
        seen = Seen(await self.stage.fleet.verdict(run, 60.0), run, asked)
        if kept is not None:
            await eventually(lambda: self._has(kept), "recordings", 10.0)
        return seen._replace(asked=asked)

    async def _has(self, count: int) -> bool:
        return len(await self.rows.all()) >= count

    async def steps(self) -> list[RecordingRow]:
        """Return the rows of steps."""
        return [row for row in await self.rows.all() if row.step is not None]

    async def recorded(self, healthy: Mapping[str, Page], steps: Steps, script: Script) -> RecordingRow:
        """Return what is recorded of the last step on a healthy site: now, if it is not yet."""
        rows = await self._of(steps)
        if not rows:
            cold = await self.run(healthy, steps, script)
            assert cold.verdict.status == "pass", cold.verdict.summary
            await eventually(lambda: self._of(steps), "the recording", 10.0)
            warm = await self.run(healthy, steps, None)
            assert (warm.verdict.status, warm.asked, warm.last.source) == ("pass", 0, "recording"), warm.verdict.summary
            rows = await self._of(steps)
        [row] = rows
        return row

    async def _of(self, steps: Steps) -> list[RecordingRow]:
        return [row for row in await self.steps() if row.step and row.step.action == steps[-1][0]]

    async def forget(self) -> None:
        """Drop all recordings."""
        for row in await self.rows.all():
            await self.rows.delete(row.key)

    async def lines(self, run: str) -> list[str]:
        """Return the lines of a run's log."""
        return await self.stage.lines(run)


def _placed(page: Page, place: str) -> Page:
    return page.replace("@", place) if isinstance(page, str) else page


@asynccontextmanager
async def rerunner(folder: Path) -> AsyncGenerator[Rerunner]:
    """Start a fleet with a scripted model."""
    async with stage(folder, RECORDINGS="on", SECRET_PIN="kingfisher-4711") as made:
        yield Rerunner(made)
