"""Steps that are tried again by rule, on a fleet of real processes without a model."""

import asyncio
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from model_server import Answer, Asked, refuses
from thinking import Play, Stage, stage
from waiting import eventually

from muster_bus.run_store import read_entries
from muster_client.runs import submit
from muster_protocol.events import RetryPlanned
from muster_protocol.requests import RunRequest, Step, TestCase


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"<!doctype html><title>Up</title><h1>Up again</h1>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


async def retries(made: Stage, run: str) -> list[RetryPlanned]:
    events = [event for entry in await read_entries(made.fleet.bus, run) for event in entry.events]
    return [event for event in events if isinstance(event, RetryPlanned)]


@pytest.mark.slow
async def test_an_address_that_does_not_answer_is_tried_once_more_and_told(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    step = Step(action=f'Open "http://127.0.0.1:{port}/"', expected='The text "Up again" is visible')
    case = RunRequest(job=TestCase(name="Up", steps=(step,)))
    rules = {"ORCHESTRATOR_RECOVER_BY_RULE": "1", "SUB_AGENT_MODEL": "", "ORCHESTRATOR_MODEL": ""}
    async with stage(tmp_path, 1, **rules) as made:
        never = (await submit(made.fleet.bus, case)).run
        down = await made.fleet.verdict(never)
        assert (down.status, down.cause, len(await retries(made, never))) == ("fail", "environment", 1)

        run = (await submit(made.fleet.bus, case)).run
        [retry] = await eventually(lambda: retries(made, run), "a retry by rule")
        server = ThreadingHTTPServer(("127.0.0.1", port), Hello)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            verdict = await made.fleet.verdict(run)
        finally:
            server.shutdown()
            server.server_close()
        assert verdict.status == "pass", verdict.summary
        assert (retry.node, retry.patience > 1, "nothing was begun" in retry.reason) == ("step-1", True, True)
        assert any("Trying step-1 again" in line for line in await made.lines(run))


COVER = "<div role=dialog aria-label='{name}' style='position:fixed;inset:0;background:#eee'>{text}<button {click}>{button}</button></div>"
SHOP = "<!doctype html><title>Shop</title><button onclick=\"document.title='Bought'\">Buy</button>"
GONE = 'onclick="this.parentElement.remove()"'
BUYING = (('Open "@/"', 'The title is "Shop"'), ('Click the "Buy" button', 'The title is "Bought"'))


def unasked(_: Asked) -> Answer:
    return refuses(503)


def behind(**cover: str) -> Play:
    return Play({"": SHOP + COVER.format(**({"click": GONE} | cover))}, BUYING, unasked)


@pytest.mark.slow
async def test_a_cookie_banner_is_closed_by_rule_and_told_and_what_costs_or_leads_elsewhere_is_not(tmp_path: Path):
    rules = {"ORCHESTRATOR_RECOVER_BY_RULE": "1", "SUB_AGENT_MODEL": "", "ORCHESTRATOR_MODEL": ""}
    plays = (
        behind(name="Cookies", text="We use cookies.", button="Accept all"),
        behind(name="Offer", text="A second one for $5.00?", button="Close"),
        behind(name="Hello", text="Have a look.", button="Close", click="onclick=\"location.hash='bought'\""),
    )
    async with stage(tmp_path, 1, **rules) as made:
        (accepted, run), (costly, _), (elsewhere, _) = await asyncio.gather(*map(made.run, plays))

        assert accepted.status == "pass", accepted.summary
        assert 'closed by rule, as it was in the way: Click the "Accept all" button in "Cookies"' in accepted.summary
        assert any('dialog "Cookies" is in the way' in line for line in await made.lines(run))
        assert (costly.status, costly.cause) == ("fail", "product"), costly.summary
        assert 'is covered by dialog "Offer"' in costly.summary
        assert (elsewhere.status, elsewhere.cause, elsewhere.failed_node) == ("fail", "agent", "step-2-r1")
