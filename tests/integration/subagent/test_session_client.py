"""Asking a session host: one that cannot just now is asked again, until the request's time is up."""

from typing import cast

import httpx
import pytest
from lone_agent import no_file
from nats.aio.msg import Msg

from muster_bus import Bus
from muster_protocol.causes import Failure
from muster_protocol.session_requests import FileRead, Keep
from muster_protocol.session_responses import Done, FileContent, SessionError
from muster_protocol.sessions import Holder
from muster_protocol.tool_calls import ToolCall
from muster_subagent import tools
from muster_subagent.secrets import Secrets
from muster_subagent.session_client import HostClient, SessionRefused
from muster_subagent.tool_context import Session, ToolContext

BUSY = SessionError(reason="busy", text="the bus does not answer the session host")


class Host:
    """Answers so many requests as a session host does: busy so many times, then with what was asked for."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.busy, self.asked = 0, 0
        self.answers = 1_000_000

    async def answer(self, message: Msg) -> None:
        self.asked += 1
        if self.asked > self.answers:
            return
        await self._bus.respond(message, BUSY if self.asked <= self.busy else Done())


@pytest.fixture
async def host(bus: Bus) -> Host:
    host = Host(bus)
    await bus.nc.subscribe(bus.names.session_host("h"), cb=host.answer)
    return host


def client_of(bus: Bus) -> HostClient:
    return HostClient(bus, "h", "r", "main", Holder(dispatch=1, delivery=1, worker="w"))


async def asks(bus: Bus, seconds: float) -> Done:
    client = client_of(bus)
    return await client.ask(client.mine(Keep, key="k", value="v"), Done, seconds)


async def test_a_busy_host_is_asked_again_until_it_answers(bus: Bus, host: Host):
    host.busy = 2
    assert await asks(bus, 10.0) == Done()
    assert host.asked == 3


async def test_a_host_that_stays_busy_until_the_time_is_up_refuses_the_request_and_the_session_goes_on(
    bus: Bus, host: Host
):
    host.busy = 1000
    with pytest.raises(SessionRefused, match="does not answer") as caught:
        await asks(bus, 1.0)
    assert caught.value.reason == "busy"
    assert 2 <= host.asked <= 6


async def test_a_host_that_was_busy_and_then_slow_refuses_the_request_and_the_session_goes_on(bus: Bus, host: Host):
    host.busy, host.answers = 1, 1
    with pytest.raises(SessionRefused, match="does not answer"):
        await asks(bus, 1.0)


class Files:
    """The part of a session that reads files."""

    def __init__(self, client: HostClient) -> None:
        self._client = client

    async def read_file(self, path: str, limit: int) -> FileContent:
        return await self._client.ask(self._client.mine(FileRead, path=path), FileContent, 0.5)


async def test_a_host_that_is_busy_is_no_fault_of_the_call(bus: Bus, host: Host):
    host.busy = 1000
    async with httpx.AsyncClient() as http:
        session = cast("Session", Files(client_of(bus)))
        context = ToolContext(session=session, secrets=Secrets({}), http=http, call="r.n.1:0", store=no_file)
        outcome = await tools.call(context, ToolCall(tool="check_file", arguments={"path": "a.txt"}), {})
    assert (outcome.status, outcome.failure) == ("error", Failure.INFRASTRUCTURE)
