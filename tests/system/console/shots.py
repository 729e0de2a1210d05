"""Pictures of every view at two widths and in both themes, for people to look at.

Run as `python tests/system/console/shots.py FOLDER`: it starts a fleet and a shop of its own, runs the bundled cases, fills the
list, and writes one PNG for each view, width and theme. With `--url` and `--key` it takes those of a gateway that runs.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browsing import NARROW, WIDE, Site, Theme, a_browser, overflow, visiting  # noqa: E402
from playwright.async_api import Page, TimeoutError, expect  # noqa: E402
from run_rows import made, store, store_branches  # noqa: E402

from muster_bus import Bus  # noqa: E402
from muster_bus.dead_letter_store import DeadLetter, bury  # noqa: E402
from muster_cli.embedded import Plan, embedded  # noqa: E402

FIRST = {"thread": ".chat-list li a", "stored": "table a[href*='/library/']"}
"""Links of which the first is opened before the picture."""
THEMES: tuple[Theme, ...] = ("light", "dark")
BROKEN = "name: A broken case\nsuite: shop\nstep:\n  - action: Open the door\n    expect: nothing\n"


class View(NamedTuple):
    """What a picture shows: its name, the address, and what is done first."""

    name: str
    path: str
    doing: str = ""


class Shown(NamedTuple):
    """Runs that have pages worth seeing."""

    passed: str
    failed: str
    asking: str
    branching: str = ""


def views(shown: Shown | None) -> list[View]:
    """Return all views there are pictures of."""
    found = [
        View("runs", "/console/"),
        View("runs-filtered", "/console/?status=fail&cause=product&text=total"),
        View("runs-nothing", "/console/?text=nothing+has+this+name"),
        View("runs-chosen", "/console/", "choose"),
        View("runs-filters", "/console/", "filters"),
        View("suites", "/console/suites?open=shop"),
        View("case", "/console/cases/The%20cart%20total%20counts%20every%20piece"),
        View("new", "/console/new"),
        View("new-problems", "/console/new", "problems"),
        View("help", "/console/", "help"),
        View("fleet", "/console/fleet"),
        View("chat", "/console/chat"),
        View("chat-thread", "/console/chat", "thread"),
        View("triggers", "/console/triggers"),
        View("health", "/console/health"),
        View("library", "/console/library"),
        View("library-requirements", "/console/library?tab=requirements"),
        View("library-case", "/console/library", "stored"),
        View("secrets", "/console/secrets"),
        View("nowhere", "/console/nowhere"),
        View("login", "/console/", "login"),
    ]
    if shown:
        found += [View(f"run-{name}", f"/console/runs/{run}") for name, run in shown._asdict().items() if run]
        parts = ("log", "files", "case")
        found += [View(f"run-failed-{tab}", f"/console/runs/{shown.failed}?tab={tab}") for tab in parts]
        found.append(View("run-failed-picture", f"/console/runs/{shown.failed}", "picture"))
        found.append(View("fleet-dead", "/console/fleet", "letter"))
    return found


async def take(site: Site, folder: Path, wanted: Sequence[View]) -> None:
    """Take all pictures, and tell what the browser complained about."""
    folder.mkdir(parents=True, exist_ok=True)
    for view in wanted:
        for size in (WIDE, NARROW):
            for theme in THEMES:
                await _take(site, folder, view, size, theme)


async def _take(site: Site, folder: Path, view: View, size: tuple[int, int], theme: Theme) -> None:
    name = f"{view.name}-{size[0]}-{theme}.png"
    key = "" if view.doing == "login" else None
    async with visiting(site, view.path, size, theme, key, excused=("",)) as (page, faults):
        await expect(page.locator("#app main")).to_be_visible()
        await page.wait_for_load_state("load")
        await expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        if view.doing in FIRST:
            await _open_first(page, FIRST[view.doing])
        await _do(page, view.doing)
        await page.wait_for_timeout(900)
        await page.screenshot(path=folder / name)
        wider = await overflow(page)
        print(name, f"{wider} px too wide" if wider else "", *faults)


async def _open_first(page: Page, links: str) -> None:
    """Open the first of some links, if there is one within some seconds."""
    with suppress(TimeoutError):
        await page.locator(links).first.click(timeout=3000)


async def _do(page: Page, doing: str) -> None:
    match doing:
        case "choose":
            for _ in range(4):
                await page.keyboard.press("j")
        case "problems":
            await page.get_by_label("Test case").fill(BROKEN)
            await expect(page.locator(".problem").first).to_be_visible()
        case "picture":
            await page.locator(".run-failure .run-shot button").click()
        case "letter":
            await page.get_by_text("History and message").first.click()
        case "help":
            await page.keyboard.press("?")
        case "filters":
            toggle = page.get_by_role("button", name="Filters")
            if await toggle.is_visible():
                await toggle.click()
            await page.get_by_role("button", name="Failed").click()
        case _:
            pass


@asynccontextmanager
async def own_site() -> AsyncGenerator[tuple[Site, Shown]]:
    """Start a fleet and a shop, run the bundled cases, and fill the list."""
    environ = {**os.environ, "SECRET_SHOP_PASSWORD": "swordfish"}
    plan = Plan(workers=2)
    server = (sys.executable, str(ROOT / "examples" / "shop" / "server.py"), "--port", "0", "--bug", "total")
    shop = await asyncio.create_subprocess_exec(
        *server, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert shop.stdout is not None
        address = (await shop.stdout.readline()).decode().split(" on ")[-1].strip()
        async with embedded(plan, environ, print) as fleet, a_browser() as browser:
            headers = {"Authorization": f"Bearer {fleet.gateway_key}"}
            async with httpx.AsyncClient(base_url=fleet.gateway_url, headers=headers, timeout=30.0) as api:
                shown = await _run_cases(api, address)
            await store(fleet.bus, made(5000, time.time() - 120))
            await store_branches(fleet.bus, shown.branching)
            await _bury_one(fleet.bus)
            yield Site(fleet.gateway_url, fleet.gateway_key, browser), shown
    finally:
        shop.terminate()
        await shop.wait()


async def _run_cases(api: httpx.AsyncClient, shop: str) -> Shown:
    """Run a case that passes, one that finds the fault, and one that asks; return them when they stand still."""
    texts = [
        (ROOT / "examples" / "cases" / "02-command-line.yaml").read_text(),
        (ROOT / "examples" / "cases" / "03-cart-total.yaml").read_text().replace("http://127.0.0.1:8000", shop),
        'name: An address is confirmed\nsteps:\n  - Ask "What is the code?" and remember the answer as ${code}\n'
        '  - action: Run the command "echo ${code}"\n    expected: The exit code is 0\n',
    ]
    runs: list[str] = []
    for text in texts:
        sent = await api.post("/runs", content=f"suite: shop\n{text}", headers={"Content-Type": "application/yaml"})
        runs.append(str(sent.raise_for_status().json()["run"]))
    async with asyncio.timeout(120):
        for run in runs:
            while (await api.get(f"/runs/{run}")).json()["run"]["status"] not in ("pass", "fail", "parked"):
                await asyncio.sleep(0.3)
    return Shown(*runs, branching="run-branches")


async def _bury_one(bus: Bus) -> None:
    subject = bus.names.request("run-dead")
    history = ("12:00:03 orchestrator-1 took it (delivery 1)", "12:00:04 orchestrator-1 refused it")
    reason = "it cannot be read: JSON is malformed"
    data = b'{"id": "run-dead", "job"'
    await bury(
        bus, DeadLetter(stream="REQUESTS", subject=subject, reason=reason, history=history, delivery=2, data=data)
    )


async def main() -> None:
    """Take the pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--url", default="", help="a gateway that runs; else one is started")
    parser.add_argument("--key", default="", help="a key of that gateway")
    parser.add_argument("--only", default="", help="views whose name begins so")
    given = parser.parse_args()
    if given.url:
        async with a_browser() as browser:
            wanted = [view for view in views(None) if view.name.startswith(given.only)]
            await take(Site(given.url, given.key, browser), given.folder, wanted)
        return
    async with own_site() as (site, shown):
        await take(site, given.folder, [view for view in views(shown) if view.name.startswith(given.only)])


if __name__ == "__main__":
    asyncio.run(main())
