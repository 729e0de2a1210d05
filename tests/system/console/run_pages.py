"""Runs for the console's pages: submitted and waited for, or stored as an earlier fleet left them."""

from goldens import runs as kept_runs
from playwright.async_api import Page, expect

from muster_bus import Bus
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.events import RunOpened
from muster_protocol.requests import RunRequest, Step, TestCase

from .conftest import Stage


async def started(stage: Stage, *steps: Step, name: str = "A case") -> str:
    """Submit a case of these steps and return its run."""
    return (await submit(stage.fleet.bus, RunRequest(job=TestCase(name=name, steps=steps), suite="console"))).run


def run_path(run: str, query: str = "") -> str:
    """Return where a run's page is."""
    return f"/console/runs/{run}{query}"


async def is_over(page: Page, word: str) -> None:
    """Wait until the head of the page says how the run ended."""
    await expect(page.locator(".run-title .status")).to_contain_text(word, timeout=60_000)


async def store_kept(bus: Bus, name: str) -> str:
    """Store a run as an earlier fleet left it, log and journals, and return its id."""
    kept = kept_runs()[f"v{codec.VERSION} {name}"]
    opened = kept.entries[0].events[0]
    assert isinstance(opened, RunOpened)
    run = opened.request.id
    for line in kept.log:
        await bus.js.publish(bus.names.events(run), line)
    for task, lines in kept.journals.items():
        for line in lines:
            await bus.js.publish(bus.names.journal(task), line)
    return run
