"""A failed run is investigated: quotes word for word, a note beside it, and nothing about the run changes."""

import json
from pathlib import Path

import httpx
import pytest
from assigned import Team, done, in_turn, team
from checkouts import repository_of
from command_line import started
from counted import port_of
from model_server import Answer, Asked, does
from needed import needs_sandbox
from pages import Sent, site

from muster_bus.run_store import read_entries
from muster_client.run_notes import read_notes
from muster_client.runs import submit
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_views.folder import write_run
from muster_views.history import events_in, fold_events
from muster_views.outcome import build_outcome

SHOP = """<title>Shop</title><h1>Orders</h1><p id="n">none</p>
<script>fetch("/orders").then((answer) => answer.text()).then((text) => console.error("orders: " + text))</script>"""
REFUSED = "no connection to the database orders-3"
GOAL = "Find out why this run failed: Orders are listed\nIs it the shop?"


async def failed_run(crew: Team) -> str:
    """Run a case that fails, at a worker without a model, and have one with a model afterwards."""
    worker = await crew.fleet.start("subagent", SUB_AGENT_MODEL="")
    with site() as shop:
        shop.pages |= {"/": SHOP, "/orders": lambda _: Sent(REFUSED, 500)}
        steps = (Step(action=f'Open "{shop.url}/"', expected='The text "Order 1" is visible'),)
        run = (await submit(crew.fleet.bus, RunRequest(job=TestCase(name="Orders are listed", steps=steps)))).run
        await crew.fleet.closed(run)
    worker.terminate()
    await worker.wait()
    await crew.fleet.start("subagent")
    return run


@pytest.mark.slow
async def test_what_an_investigator_finds_is_kept_beside_the_run_with_quotes_that_were_read(tmp_path: Path):
    async with team(tmp_path, "orchestrator", "sessions") as crew:
        await crew.fleet.start("gateway", HTTP_PORT="0", LOG_FORMAT="json")
        run = await failed_run(crew)
        before = await read_entries(crew.fleet.bus, run)
        network = {"text": "The shop has lost its database", "quote": REFUSED, "source": "network"}
        console = {
            "text": "The page says so",
            "quote": "the server responded with a status of 500",
            "source": "console",
        }
        invented = {"text": "It is the proxy", "quote": "502 Bad Gateway", "source": "network"}

        def part(asked: Asked) -> Answer:
            return done("The shop's database is away.", findings=[network, console, invented])

        crew.parts[GOAL] = part
        arguments = ("investigate", run, "--question", "Is it the shop?", "--json", "--nats", crew.fleet.server.url)
        async with started(tmp_path, *arguments) as command:
            told, _ = await command.communicate()
        first, second = crew.asked_about(GOAL)
        [of_sums, note] = await read_notes(crew.fleet.bus, run)

        assert "'502 Bad Gateway' is nowhere in what you have read" in second.last
        assert not first.tools & {"write", "edit", "shell", "browser_navigate"}
        assert (json.loads(told)["status"], note.status, note.left_out) == ("done", "done", 1)
        assert [it.quote for it in note.findings] == [network["quote"], console["quote"]]
        assert of_sums.agent == "arithmetic"
        assert note.source == json.loads(told)["run"]
        assert await read_entries(crew.fleet.bus, run) == before

        outcome = build_outcome(fold_events(events_in(before), run))
        pages: dict[str, bytes] = {}

        async def save(name: str, data: bytes) -> None:
            pages[name] = data

        await write_run(crew.fleet.bus, outcome, save, alone=True)
        assert "<h2>Note</h2>" in pages["index.html"].decode()
        await gateway_tells(crew, run)


@pytest.mark.slow
@needs_sandbox()
async def test_an_investigator_with_a_workspace_quotes_the_source_with_its_place_and_changes_nothing(tmp_path: Path):
    files = {"shop/orders.py": "def orders(database):\n    if database.away:\n        raise OrdersAway(database)\n"}
    served = repository_of(tmp_path / "shop", files)
    async with team(tmp_path, "orchestrator") as crew:
        await crew.fleet.start("sessions", WORKSPACES=f"shop={served}", SANDBOX="bwrap")
        run = await failed_run(crew)
        found = {
            "text": "Nobody catches it",
            "quote": "raise OrdersAway(database)",
            "file": "shop/orders.py",
            "line": 3,
        }
        crew.parts[GOAL] = in_turn(
            does(("grep", {"pattern": "OrdersAway"})),
            does(("read", {"path": "shop/orders.py"})),
            does(("write", {"path": "shop/orders.py", "content": ""})),
            does(("execute_command", {"command": "id"})),
            done("The database is away, and nothing catches that.", findings=[found]),
        )
        arguments = ("investigate", run, "--workspace", "shop", "--question", "Is it the shop?", "--json")
        async with started(tmp_path, *arguments, "--nats", crew.fleet.server.url) as command:
            told, _ = await command.communicate()
        [_analysed, note] = await read_notes(crew.fleet.bus, run)

    brought = json.loads(told)
    assert (brought["status"], brought["findings"], brought["diffs"]) == ("done", [found], [])
    assert [text.split("(")[0] for text in brought["refusals"]] == ["write", "execute_command"]
    assert [(it.file, it.line, it.quote) for it in note.findings] == [(found["file"], 3, found["quote"])]
    assert (served / "shop" / "orders.py").read_text() == files["shop/orders.py"]


async def gateway_tells(crew: Team, run: str) -> None:
    """Read the notes over HTTP, and have another one made."""
    gateway = next(crew.fleet.folder.glob("gateway-*.log"))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port_of(gateway, 'http port open')}") as http:
        [_, listed] = (await http.get(f"/runs/{run}/notes")).json()["notes"]
        asked = await http.post(f"/runs/{run}/notes", json={"question": "Is it the shop?"})
        again = asked.json()["run"]
        await crew.fleet.closed(again)
        both = (await http.get(f"/runs/{run}/notes")).json()["notes"]
        refused = await http.post(f"/runs/{again}/notes")
        unknown = await http.post("/runs/run-none/notes")

    assert (listed["agent"], asked.status_code, [it["source"] for it in both][2]) == ("investigator", 202, again)
    assert (refused.status_code, unknown.status_code) == (400, 404)
    assert "there is no fail to investigate" in refused.text
