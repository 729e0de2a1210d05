"""Session hosts are killed, stopped and told to go in the middle of runs, with another one there."""

import asyncio
import signal
from pathlib import Path

import msgspec
import pytest
from fleet import Fleet, RunLog, fleet
from fork_server import Process
from pages import Site, Visit, site
from waiting import eventually

from muster_bus import Rows
from muster_bus.artifact_store import get_artifact
from muster_client.runs import submit
from muster_protocol.events import SessionOpened
from muster_protocol.journal import CallStarted
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow
from muster_protocol.verdicts import Verdict
from muster_sessionhost.checkpoint import SavedSession, artifact_name

WAIT = 'Wait up to 60 seconds for the text "Go on" to be visible'
FIELD = "<label>Name <input id=name></label>"


class Shop:
    """A page with a button whose clicks the server counts, and a text that the test lets appear."""

    def __init__(self, site: Site, *, more: str = "") -> None:
        self.site, self.more = site, more
        self.clicks = 0
        self.go = False
        site.pages |= {"/": self._page, "/click": self._click, "/state": lambda _: "go" if self.go else "wait"}

    def _page(self, _: Visit) -> str:
        return f"""<!doctype html><title>Shop</title><h1>Shop</h1><form method=post action=/click>
            <button>Count</button></form>{self.more}<p>Clicks: {self.clicks}</p><p id=go></p><script>
            setInterval(async () => {{ const told = await (await fetch('/state')).text();
              if (told.endsWith('go')) document.querySelector('#go').textContent = 'Go on'; }}, 100)</script>"""

    def _click(self, visit: Visit) -> str:
        self.clicks += visit.method == "POST"
        return "<title>Shop</title><script>location.replace('/')</script>"


def steps(shop: Shop, *before: Step, last: str = 'The text "Go on" is visible') -> TestCase:
    first = Step(action=f'Open "{shop.site.url}/"', expected='The page title is "Shop"')
    return TestCase(name="Shop", steps=(first, *before, Step(action=WAIT, expected=last)))


CLICK = Step(action='Click the "Count" button', expected='The text "Clicks: 1" is visible')


async def lost_midway(group: Fleet, case: TestCase, host: Process, *, stop: int = signal.SIGKILL) -> str:
    """Start a run, and end its session host while the last step waits; return the run's id."""
    run = (await submit(group.bus, RunRequest(job=case))).run
    task = f"{run}.step-{len(case.steps)}.1"

    async def waiting() -> bool:
        return any(isinstance(entry, CallStarted) for entry in await group.journal(task))

    async def saved() -> bool:
        data = await get_artifact(group.bus, artifact_name(run, "main"))
        left = msgspec.json.decode(data, type=SavedSession) if data else SavedSession()
        return bool(left.missing) or left.after >= len(case.steps)

    await eventually(waiting, "the last step waits")
    await eventually(saved, "the checkpoint that the step before it left is stored")
    host.send_signal(stop)
    await host.wait()
    return run


async def after_loss(group: Fleet, shop: Shop, case: TestCase, *, stop: int = signal.SIGKILL) -> Verdict:
    """Run a case whose session host is lost while its last step waits, with another host there."""
    for service in ("orchestrator", "subagent"):
        await group.start(service)
    host = await group.start("sessions", HOST_ID="host-a")
    run_task = asyncio.create_task(lost_midway(group, case, host, stop=stop))
    await opened_on(group, "host-a")
    await group.start("sessions", HOST_ID="host-b")
    run = await run_task

    async def reopened() -> bool:
        """A run that ends with its session closes the new one at once, so that only its log tells of it."""
        opened = [it for entry in await RunLog(group.bus, run).read() for it in entry.events]
        return sum(isinstance(it, SessionOpened) for it in opened) > 1

    await eventually(reopened, "the session is opened again")
    shop.go = True
    verdict = await group.verdict(run)
    await group.closed(run)
    return verdict


async def opened_on(group: Fleet, host: str) -> None:
    async def there() -> bool:
        return any(row.host == host and row.capabilities for row in await Rows(group.bus, "SESSIONS", SessionRow).all())

    await eventually(there, f"a session on {host}")


async def openings(group: Fleet, run: str) -> list[SessionOpened]:
    entries = await group.closed(run)
    return [event for entry in entries for event in entry.events if isinstance(event, SessionOpened)]


@pytest.mark.slow
async def test_a_run_that_had_changed_nothing_goes_on_at_another_host(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages)
            verdict = await after_loss(group, shop, steps(shop))

            assert (verdict.status, verdict.summary) == ("pass", "2 of 2 sub-tasks passed")


@pytest.mark.slow
async def test_a_run_goes_on_where_the_server_remembers_what_was_clicked_and_the_page_shows_it_again(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages)
            verdict = await after_loss(group, shop, steps(shop, CLICK))

            assert (verdict.status, verdict.summary) == ("pass", "3 of 3 sub-tasks passed")
            assert shop.clicks == 1
            first, second = await openings(group, verdict.run)
            assert (first.session.host, first.restored) == ("host-a", "no")
            assert (second.session.host, second.restored, second.after) == ("host-b", "same", 3)


@pytest.mark.slow
async def test_text_that_was_typed_and_is_not_there_again_ends_the_run_as_the_environments_fault(
    tmp_path: Path,
) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages, more=FIELD)
            typed = Step(action='Type "Ada" into the "Name" field', expected='The "Name" field contains "Ada"')
            verdict = await after_loss(group, shop, steps(shop, typed))

            assert (verdict.status, verdict.cause) == ("fail", "environment")
            assert "do not read as they did" in verdict.summary
            assert verdict.failed_node == "step-3"


@pytest.mark.slow
async def test_what_a_command_left_behind_is_lost_with_the_host_and_ends_the_run(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages)
            ran = Step(action='Run the command "echo 1 > made"', expected="The exit code is 0")
            verdict = await after_loss(group, shop, steps(shop, ran))

            assert (verdict.status, verdict.cause) == ("fail", "environment")
            assert "commands had been run in it" in verdict.summary


@pytest.mark.slow
async def test_a_fail_seen_after_the_loss_is_not_called_the_products(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages)
            case = steps(shop, CLICK, last='The text "Sold out" is visible')
            verdict = await after_loss(group, shop, case)

            assert (verdict.status, verdict.cause) == ("fail", "environment")
            assert "opened anew from its checkpoint" in verdict.summary


@pytest.mark.slow
async def test_a_host_that_is_told_to_stop_hands_its_session_on_in_the_middle_of_a_run(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        with site() as pages:
            shop = Shop(pages)
            verdict = await after_loss(group, shop, steps(shop, CLICK), stop=signal.SIGTERM)

            assert (verdict.status, verdict.summary) == ("pass", "3 of 3 sub-tasks passed")
            assert shop.clicks == 1
