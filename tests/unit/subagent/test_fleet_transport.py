"""A call of the fleet waits for a gateway that restarts, and tells when there is none."""

from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from muster_protocol.errors import Refused
from muster_protocol.fleet_calls import FleetReply
from muster_subagent import fleet_transport
from muster_subagent.fleet_transport import _BusTransport  # pyright: ignore[reportPrivateUsage]


class Answers:
    """A bus on which nobody answers at first."""

    names = SimpleNamespace(fleet_calls="calls")

    def __init__(self, refusals: int) -> None:
        self.refusals, self.asked = refusals, 0

    async def request(self, *_given: Any) -> FleetReply:
        self.asked += 1
        if self.asked <= self.refusals:
            raise Refused("nobody answers")
        return FleetReply(status=200, body=b"{}")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_transport, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(fleet_transport, "PATIENCE_SECONDS", 0.2)


def sent(bus: Any) -> Any:
    return _BusTransport(bus, "run-1").handle_async_request(httpx.Request("POST", "http://fleet/runs", content=b"{}"))


async def test_a_gateway_that_comes_back_is_asked_again() -> None:
    bus = Answers(refusals=3)
    assert (await sent(bus)).status_code == 200
    assert bus.asked == 4


async def test_where_no_gateway_comes_the_call_fails() -> None:
    with pytest.raises(httpx.ConnectError, match="no gateway answers"):
        await sent(Answers(refusals=1_000_000))
