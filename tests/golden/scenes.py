"""Real runs to be kept: each scene brings up a fleet of real processes, has something happen, and gives the run's id."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from controlled_page import controlled_page
from fleet import Fleet, fleet
from fork_server import Process
from model_server import Answer, Asked, does, fails, gives, passes
from msgspec.structs import replace
from played_scenes import Stored, given_up, in_line, refused, retried, timed_out, without_session
from thinking import Play, stage
from waiting import eventually

from muster_bus import replay
from muster_bus.artifact_store import get_artifact
from muster_bus.run_store import read_entries
from muster_cases.case_loader import load_paths
from muster_client.runs import send_control, submit
from muster_protocol import control, events
from muster_protocol.journal import CallFinished, CallStarted
from muster_protocol.requests import Drill, Job, RunRequest, Step, TestCase

ROOT = Path(__file__).parents[2]
PASSWORD = "swordfish"
SERVICES = ("orchestrator", "sessions", "subagent")


async def stored(group: Fleet, run: str) -> Stored:
    """Return what a run left behind once it is closed."""
    await group.closed(run)
    bus = group.bus
    log = [message.data async for message in replay(bus, "RUNS", bus.names.events(run))]
    journals = [
        (message.subject.removeprefix(bus.names.journal("")), message.data)
        async for message in replay(bus, "JOURNAL", bus.names.journal(f"{run}.*.*"))
    ]
    return Stored(log, journals)


def shell_case(name: str, *steps: tuple[str, str]) -> TestCase:
    """Return a case of actions and expectations."""
    return TestCase(name=name, steps=tuple(Step(action=action, expected=expected) for action, expected in steps))


async def start_all(group: Fleet, **environment: str) -> dict[str, Process]:
    """Start one process of each kind that a run needs."""
    return {service: await group.start(service, **environment) for service in SERVICES}


async def begin(group: Fleet, job: Job, id: str) -> str:
    """Submit a job under an id of its own and return the id."""
    return (await submit(group.bus, RunRequest(job=job, id=id))).run


async def happened(group: Fleet, run: str, kind: type, count: int = 1) -> None:
    """Wait until so many events of a kind are in a run's log."""

    async def look() -> bool:
        found = [event for entry in await read_entries(group.bus, run) for event in entry.events]
        return sum(isinstance(event, kind) for event in found) >= count

    await eventually(look, f"{count} {kind.__name__} in the log of {run}")


async def drill(folder: Path) -> Stored:
    """A drill of three sub-tasks."""
    async with fleet(folder) as group:
        await group.start("orchestrator")
        await group.start("subagent")
        return await stored(group, await begin(group, Drill(count=3), "golden-drill"))


@asynccontextmanager
async def shop() -> AsyncGenerator[str]:
    """Serve the demo shop and give its address."""
    arguments = (sys.executable, str(ROOT / "examples/shop/server.py"), "--port", "0")
    serving = await asyncio.create_subprocess_exec(*arguments, env={"SHOP_PASSWORD": PASSWORD}, stdout=PIPE)
    try:
        assert serving.stdout is not None
        yield (await serving.stdout.readline()).decode().split()[-1]
    finally:
        serving.terminate()
        await serving.wait()


async def purchase(folder: Path) -> Stored:
    """The cart of the demo shop, by phrases, in a real browser."""
    job = load_paths([ROOT / "examples/cases/03-cart-total.yaml"])[0].request.job
    assert isinstance(job, TestCase)
    async with shop() as url, fleet(folder, SHOP_PASSWORD=PASSWORD) as group:
        await start_all(group)
        case = replace(job, variables={**job.variables, "base_url": url})
        return await stored(group, await begin(group, case, "golden-purchase"))


async def wrong(folder: Path) -> Stored:
    """An expectation that is false: the product's fault."""
    steps = (
        ('Run the command "echo one"', 'The output contains "one"'),
        ('Run the command "echo two"', 'The output contains "three"'),
    )
    async with fleet(folder) as group:
        await start_all(group)
        return await stored(group, await begin(group, shell_case("Wrong", *steps), "golden-wrong"))


async def unreadable(folder: Path) -> Stored:
    """A sentence that is no known phrase: nothing is touched."""
    async with fleet(folder) as group:
        await start_all(group)
        case = shell_case("Unreadable", ("Ponder the meaning of it all", 'The title is "Answer"'))
        return await stored(group, await begin(group, case, "golden-unreadable"))


async def cancelled_queued(folder: Path) -> Stored:
    """Cancelled before anybody had begun it: the only orchestrator was busy."""
    async with fleet(folder) as group:
        await group.start("orchestrator", ORCHESTRATOR_RUNS="1")
        busy = await begin(group, Drill(count=1), "golden-busy")
        await happened(group, busy, events.SubTaskDispatched)
        run = await begin(group, Drill(count=2), "golden-cancelled-queued")
        await send_control(group.bus, run, control.Cancel(id="c1", reason="not needed", by="tester"))
        return await stored(group, run)


async def cancelled_midway(folder: Path) -> Stored:
    """Cancelled while a command was running."""
    async with fleet(folder) as group:
        await start_all(group)
        steps = (('Run the command "echo one"', 'The output contains "one"'), ('Run the command "sleep 50"', ""))
        run = await begin(group, shell_case("Cancelled", *steps), "golden-cancelled-midway")

        async def running() -> bool:
            return any(isinstance(entry, CallStarted) for entry in await group.journal(f"{run}.step-2.1"))

        await eventually(running, "the second command runs")
        await send_control(group.bus, run, control.Cancel(id="c1", reason="enough seen", by="tester"))
        return await stored(group, run)


async def owner_lost(folder: Path) -> Stored:
    """The orchestrator was killed; another one went on."""
    async with fleet(folder) as group:
        first = await group.start("orchestrator")
        await group.start("subagent")
        run = await begin(group, Drill(count=8, wait_seconds=0.4), "golden-owner-lost")
        await happened(group, run, events.SubTaskEnded, 2)
        first.kill()
        await group.start("orchestrator")
        return await stored(group, run)


async def worker_lost(folder: Path) -> Stored:
    """The worker was killed after its click had come back; another one went on in the same page."""
    async with fleet(folder) as group:
        with controlled_page() as page:
            first = (await start_all(group))["subagent"]
            wait = 'Click the "Count" button and wait up to 60 seconds for the text "Go on" to be visible'
            steps = ((f'Open "{page.url}"', 'The page title is "Counter"'), (wait, 'The text "Count: 1" is visible'))
            run = await begin(group, shell_case("Counting", *steps), "golden-worker-lost")

            async def clicked() -> bool:
                return any(isinstance(entry, CallFinished) for entry in await group.journal(f"{run}.step-2.1"))

            await eventually(clicked, "the click is journalled")
            first.kill()
            await group.start("subagent")
            page.open.set()
            return await stored(group, run)


async def session_lost(folder: Path) -> Stored:
    """The session host was killed in the middle of a step; the page was opened anew, and read as it had."""
    return await losing_the_host(folder, "golden-session-lost", changed=False)


async def page_lost(folder: Path) -> Stored:
    """The session host was killed in the middle of a step; the page was opened anew, and read otherwise."""
    return await losing_the_host(folder, "golden-page-lost", changed=True)


async def losing_the_host(folder: Path, id: str, *, changed: bool) -> Stored:
    async with fleet(folder) as group:
        with controlled_page() as page:
            hosts = await start_all(group)
            wait = 'Wait up to 60 seconds for the text "Go on" to be visible'
            steps = ((f'Open "{page.url}"', 'The page title is "Counter"'), (wait, 'The text "Go on" is visible'))
            run = await begin(group, shell_case("Losing the page", *steps), id)

            async def waiting() -> bool:
                begun = any(isinstance(entry, CallStarted) for entry in await group.journal(f"{run}.step-2.1"))
                return begun and await get_artifact(group.bus, f"{run}/checkpoint/main.json") is not None

            await eventually(waiting, "the second step waits, with a checkpoint of the page")
            hosts["sessions"].kill()
            if changed:
                page.open.set()
            await group.start("sessions")
            await happened(group, run, events.SessionOpened, 2)
            page.open.set()
            return await stored(group, run)


async def paused(folder: Path) -> Stored:
    """Paused until nothing was under way, and resumed."""
    async with fleet(folder) as group:
        await group.start("orchestrator")
        await group.start("subagent")
        run = await begin(group, Drill(count=6, wait_seconds=0.3), "golden-paused")
        await happened(group, run, events.SubTaskEnded)
        await send_control(group.bus, run, control.Pause(id="p1", by="tester"))
        await happened(group, run, events.Parked)
        await send_control(group.bus, run, control.Resume(id="r1", by="tester"))
        return await stored(group, run)


async def answered(folder: Path) -> Stored:
    """A step asked a person, and the next one used what was answered."""
    async with fleet(folder) as group:
        await start_all(group)
        steps = (
            ('Ask "Which colour is it?" and remember the answer as ${colour}', ""),
            ('Run the command "echo ${colour}"', 'The output contains "${colour}"'),
        )
        run = await begin(group, shell_case("Asking", *steps), "golden-answered")
        await happened(group, run, events.Parked)
        [asked] = [
            e for entry in await read_entries(group.bus, run) for e in entry.events if isinstance(e, events.Asked)
        ]
        told = control.Answer(id="a1", question=asked.question, text="blue", by="tester")
        await send_control(group.bus, run, told)
        return await stored(group, run)


async def unserved(folder: Path) -> Stored:
    """There was no worker at first, the run told of it, and went on when there was one."""
    async with fleet(folder) as group:
        await group.start("orchestrator")
        run = await begin(group, Drill(count=2, wait_seconds=8), "golden-unserved")
        await happened(group, run, events.Unserved)
        await group.start("subagent")
        return await stored(group, run)


INSTALLER = """mkdir -p $HOME/.local/bin
printf '#!/bin/sh\\necho hello $1\\n' > $HOME/.local/bin/greet
chmod +x $HOME/.local/bin/greet"""


def installing(asked: Asked) -> Answer:
    """Keep the plan, miss a command, have it installed, and go on."""
    if asked.role == "planner":
        return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in (1, 2, 3)]})
    if asked.role == "evaluator":
        mend = {"recovery": "Install the missing command greet from install.sh", "recovery_expected": ""}
        return gives({"action": "recover", "reason": "greet is not installed", "cause": "environment", **mend})
    if "# Step\nInstall the missing" in asked.question:
        return does(("execute_command", {"command": "sh install.sh && export PATH=$HOME/.local/bin:$PATH"}), passes())
    if asked.turn == 0:
        return does(("execute_command", {"command": "greet Ann"}))
    return does(passes()) if "not found" not in asked.last else does(fails("greet is not there", blocked=True))


async def recovered(folder: Path) -> Stored:
    """A model (scripted) plans, fails, is evaluated, recovers and tries again."""
    steps = [
        ('Open "@/"', 'The title is "Page"'),
        (f"Create the file install.sh with the content:\n{INSTALLER}", ""),
        ("Have the command greet say hello to Ann", 'The output contains "hello Ann"'),
    ]
    async with stage(folder) as made:
        _, run = await made.run(Play({"": "<h1>Here</h1>"}, steps, installing))
        return await stored(made.fleet, run)


async def closed_by_rule(folder: Path) -> Stored:
    """What lay over a button was closed by rule, without a model."""
    cover = "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#eee'>We use cookies. "
    button = '<button onclick="this.parentElement.remove()">Accept all</button></div>'
    shop = "<title>Shop</title><button onclick=\"document.title='Bought'\">Buy</button>"
    steps = [('Open "@/"', 'The title is "Shop"'), ('Click the "Buy" button', 'The title is "Bought"')]
    rules = {"ORCHESTRATOR_RECOVER_BY_RULE": "1", "SUB_AGENT_MODEL": "", "ORCHESTRATOR_MODEL": ""}
    async with stage(folder, 1, **rules) as made:
        _, run = await made.run(Play({"": f"{shop}{cover}{button}"}, steps, installing))
        return await stored(made.fleet, run)


SCENES: dict[str, Callable[[Path], Awaitable[Stored]]] = {
    scene.__name__.replace("_", "-"): scene
    for scene in (
        drill,
        purchase,
        wrong,
        unreadable,
        cancelled_queued,
        cancelled_midway,
        owner_lost,
        worker_lost,
        session_lost,
        page_lost,
        paused,
        answered,
        unserved,
        recovered,
        closed_by_rule,
        refused,
        without_session,
        in_line,
        timed_out,
        given_up,
        retried,
    )
}
