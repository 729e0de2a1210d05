"""The gateway's NATS user has the rights that its API needs, and an orchestrator those to settle dead letters for it."""

import time
from functools import partial
from pathlib import Path

import httpx
from deployed import Deployed
from envelopes import a_task
from fleet import Fleet

from muster_bus import Log, Rows
from muster_bus.artifact_store import put_artifact
from muster_bus.dead_letter_store import DeadLetter, bury
from muster_gateway.service import service
from muster_gateway.settings import GatewaySettings
from muster_orchestrator.dead_letter_handling import settle_dead_letter
from muster_orchestrator.responder import Responder
from muster_protocol import codec
from muster_protocol.events import Entry, RunOpened, VerdictReached
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict
from muster_service.settings import load

REQUEST = RunRequest(id="r1", job=TestCase(name="Buy", steps=(Step(action="a", expected="b"),)), suite="shop")
ADDRESSES = (
    *("/runs", "/runs?text=buy", "/suites", "/workers", "/queues", "/sessions", "/dead", "/dead/1"),
    *("/runs/r1", "/runs/r1/journal", "/runs/r1/events", "/runs/r1/artifacts", "/runs/r1/artifacts/a/b.txt"),
    *("/runs/r1/report", "/runs/r1/report?format=zip", "/suites/shop/report"),
)


async def test_everything_that_can_be_read_can_be_read_and_dead_letters_are_settled_by_an_orchestrator(
    fleet: Fleet, server: Deployed, tmp_path: Path
) -> None:
    admin = fleet.bus
    log = Log(admin, "RUNS", admin.names.events("r1"))
    opened, ended = (
        RunOpened(request=REQUEST, owner="o", message=1, delivery=1),
        Verdict(run="r1", name="r", status="pass"),
    )
    await log.append(Entry(epoch=1, at=time.time(), events=(opened, VerdictReached(verdict=ended))))
    await Rows(admin, "RUN_LIST", RunRow).put("r1", RunRow(run="r1", name="Buy", status="pass", suite="shop"))
    await put_artifact(admin, "r1/a/b.txt", b"text", "text/plain")
    task = a_task(id="r1.n1.1", run="r1", node="n1", attempt=1, dispatch=1)
    await admin.store(admin.names.tasks("act", "normal"), codec.encode(task))
    for number in (1, 2):
        subject, data = f"muster.requests.q{number}", codec.encode(REQUEST)
        await bury(admin, DeadLetter(stream="REQUESTS", subject=subject, reason="r", key=str(number), data=data))
    settings = load(GatewaySettings, {"HTTP_PORT": "0", "PORT_FILE": str(tmp_path / "port"), "SHUTDOWN_SECONDS": "3"})
    async with server.bus("orchestrator") as owner, server.bus("gateway") as bus, service(bus, settings):
        settling = Responder(owner, owner.names.dead_letters, partial(settle_dead_letter, owner))
        await settling.start()
        port = int((tmp_path / "port").read_text())
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
            answers = {address: (await http.get(address)).status_code for address in ADDRESSES}
            assert answers == dict.fromkeys(ADDRESSES, 200)
            replayed = await http.post("/dead/1/replay")
            assert (replayed.status_code, replayed.json()) == (200, {"id": 1, "subject": "muster.requests.q1"})
            assert (await http.delete("/dead/2")).status_code == 204
            assert (await http.get("/dead")).json()["letters"] == []
        await settling.stop()
    assert (await admin.js.stream_info("REQUESTS")).state.messages == 1
