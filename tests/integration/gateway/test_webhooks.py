"""Verdicts told over HTTP: to a real receiver, again until it takes them, and never to whom nobody allowed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

import pytest
from structlog.testing import capture_logs
from waiting import eventually

from muster_bus import replay
from muster_bus.dead_letter_store import newest_dead, replay_dead
from muster_orchestrator.verdict_delivery import queue_webhook
from muster_protocol import codec
from muster_protocol.events import RunOpened
from muster_protocol.logs import LogRecord
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from muster_bus import Bus

    from .conftest import Desk, Run, StartGateway, Web

SECONDS = 60.0
SECRET = "s3cret-of-webhooks"


class Request(NamedTuple):
    """What a receiver got."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """An HTTP server that answers with the statuses it is given, in turn, the last one for ever; 0 is no answer."""

    def __init__(self, *statuses: int) -> None:
        self.got: list[Request] = []
        self.port = 0
        self._statuses = list(statuses)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hooks/token-1"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.got.append(Request(head[0].split(" ")[1], headers, body))
        status = self._statuses.pop(0) if len(self._statuses) > 1 else self._statuses[0]
        if status:
            more = f"location: {self.url}\r\n" if 300 <= status < 400 else ""
            writer.write(f"HTTP/1.1 {status} X\r\n{more}content-length: 0\r\nconnection: close\r\n\r\n".encode())
            await writer.drain()
        else:
            await reader.read()
        writer.close()


@asynccontextmanager
async def receiving(*statuses: int) -> AsyncGenerator[Receiver]:
    """Run a receiver."""
    receiver = Receiver(*statuses)
    async with await asyncio.start_server(receiver.answer, "127.0.0.1", 0) as server:
        receiver.port = server.sockets[0].getsockname()[1]
        yield receiver


async def over(run: Run, webhook: str = "") -> None:
    """Give a run its verdict, and have it told, as an orchestrator does; twice, as a second owner would."""
    request = RunRequest(id=run.id, job=Drill(), webhook=webhook)
    await run.append(RunOpened(request=request, owner="o", message=1, delivery=1))
    await run.end(Verdict(run=run.id, name="Buy", status="pass", summary="1 of 1 sub-tasks passed"))
    assert [await queue_webhook(run.bus, run.id) for _ in range(2)] == ["", ""]


async def lines(bus: Bus, run: str) -> list[LogRecord]:
    """Return what gateways have written into a run's log."""
    stored = [codec.decode(line.data, LogRecord) async for line in replay(bus, "LOGS", bus.names.log(run, "*"))]
    return [line for line in stored if line.source.startswith("gateway-")]


async def queued(bus: Bus) -> int:
    """Return how many messages wait to be told, or are being told."""
    return (await bus.js.stream_info("WEBHOOKS")).state.messages


@pytest.fixture
def new_run(bus: Bus) -> Callable[[str], Run]:
    from .conftest import Run

    return lambda id: Run(bus, id)


@pytest.mark.slow
async def test_two_gateways_tell_a_receiver_that_fails_twice_and_then_takes_it_signed_and_recorded(
    start_gateway: StartGateway, bus: Bus, new_run: Callable[[str], Run]
):
    async with receiving(500, 302, 204) as receiver:
        settings = {"webhook_urls": receiver.url, "webhook_secret": SECRET, "webhook_delay_seconds": "0.1"}
        gateways = [await start_gateway(**settings), await start_gateway(**settings)]
        await over(new_run("r1"))

        async def told() -> bool:
            return not await queued(bus) and len(await lines(bus, "r1")) == 3

        await eventually(told, "the receiver has it, and the run's log says so")
        assert len(receiver.got) == 3
        assert {request.path for request in receiver.got} == {"/hooks/token-1"}
        assert len({request.headers["muster-delivery"] for request in receiver.got}) == 1
        assert [request.headers["muster-attempt"] for request in receiver.got] == ["1", "2", "3"]
        for request in receiver.got:
            at, sign = (part.partition("=")[2] for part in request.headers["muster-signature"].split(","))
            signed = at.encode() + b"." + request.body
            assert sign == hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
        body = json.loads(receiver.got[-1].body)
        assert (body["run"], body["status"], body["id"]) == ("r1", "pass", receiver.got[0].headers["muster-delivery"])
        written = await lines(bus, "r1")
        assert [(line.level, line.status, line.kind) for line in written] == [
            ("warning", "failed", "error"),
            ("warning", "failed", "error"),
            ("info", "taken", "message"),
        ]
        assert "answered 302 (redirects are not followed); attempt 2 of 8" in written[1].text
        assert "token-1" not in " ".join(line.text for line in written)
        counted = [await one.metric('muster_gateway_webhooks_total{outcome="taken"}') for one in gateways]
        assert sum(counted) == 1


@pytest.mark.slow
async def test_what_is_never_taken_becomes_a_dead_letter_that_can_be_put_back(
    start_gateway: StartGateway, bus: Bus, new_run: Callable[[str], Run]
):
    async with receiving(0, 503, 410, 200) as receiver, receiving(200) as other:
        await start_gateway(
            webhook_urls=f"{receiver.url},{other.url}",
            webhook_delay_seconds="0.1",
            webhook_timeout_seconds="2",
            webhook_attempts="5",
        )
        await over(new_run("r1"))

        async def dead() -> bool:
            return bool([letter async for letter in newest_dead(bus)])

        await eventually(dead, "it is given up")
        (letter,) = [letter async for letter in newest_dead(bus)]
        assert (letter.stream, letter.run, letter.history) == ("WEBHOOKS", "r1", ("3 attempts",))
        assert letter.reason.endswith("answered 410")
        assert "token-1" not in letter.reason + letter.data.decode() + letter.subject
        assert len(other.got) == 1

        async def told() -> bool:
            return any("given up after 3 attempts" in line.text for line in await lines(bus, "r1"))

        await eventually(told, "the log says that it is given up")
        assert any("no answer within 2 s; attempt 1 of 5" in line.text for line in await lines(bus, "r1"))
        await replay_dead(bus, letter)

        async def taken() -> bool:
            return len(receiver.got) == 4 and not await queued(bus)

        await eventually(taken, "it is told after all")
        assert not await dead()


async def test_a_request_may_name_only_allowed_hosts_and_others_are_told_nothing_which_is_recorded(
    start_gateway: StartGateway, bus: Bus, new_run: Callable[[str], Run], desk: Desk
):
    async with receiving(200) as receiver, receiving(200) as foreign:
        web = await start_gateway(webhook_hosts=f"127.0.0.1:{receiver.port}")
        await over(new_run("r1"), receiver.url)
        await over(new_run("r2"), foreign.url)

        async def settled() -> bool:
            return not await queued(bus) and bool(await lines(bus, "r1")) and bool(await lines(bus, "r2"))

        await eventually(settled, "both are settled")
        assert [json.loads(request.body)["run"] for request in receiver.got] == ["r1"]
        assert not foreign.got
        (line,) = await lines(bus, "r2")
        assert (line.status, line.level) == ("refused", "warning")
        assert f"127.0.0.1:{foreign.port} is not an allowed host" in line.text
        case = {"type": "test_case", "name": "Buy", "steps": [{"action": "a", "expected": "b"}]}
        refused = await web.http.post("/runs", json={"job": case, "webhook": foreign.url})
        assert (refused.status_code, refused.json()["reasons"]) == (
            400,
            [f"webhook: 127.0.0.1:{foreign.port} is not an allowed host; add it to WEBHOOK_HOSTS of the gateway"],
        )
        taken = await web.http.post("/runs", json={"job": case, "webhook": receiver.url})
        assert taken.status_code == 202
        for path in ("/runs/r1", "/runs/r1/events", f"/runs/{taken.json()['run']}"):
            shown = (await web.http.get(path)).text
            assert f'"webhook":"http://127.0.0.1:{receiver.port}"' in shown and "token-1" not in shown, path


async def test_a_receiver_that_does_not_answer_holds_up_no_other_and_one_attempt_is_counted_for_each_post(
    start_gateway: StartGateway, bus: Bus, new_run: Callable[[str], Run]
):
    async with receiving(0) as silent, receiving(200) as other:
        await start_gateway(
            webhook_urls=silent.url, webhook_hosts=f"127.0.0.1:{other.port}", webhook_timeout_seconds="60"
        )
        for number in range(40):  # more than a gateway posts at once
            await over(new_run(f"r{number}"))

        async def stuck() -> bool:
            return len(silent.got) >= 16

        await eventually(stuck, "the silent one has its share")
        await over(new_run("late"), other.url)

        async def told() -> bool:
            return bool(other.got)

        await eventually(told, "the other is told")
        assert len(silent.got) == 16
        assert {request.headers["muster-attempt"] for request in silent.got} == {"1"}


async def test_a_gateway_that_tells_unsigned_says_so_when_it_starts(
    serve: Callable[..., AbstractAsyncContextManager[Web]],
):
    with capture_logs() as logged:
        async with serve(webhook_urls="https://hooks.example/"):
            pass
    warned = [line["event"] for line in logged if line["log_level"] == "warning"]
    assert [event.partition(":")[0] for event in warned] == ["webhooks are unsigned and could be forged"]
