"""Slots of a work queue: whatever comes in, its slot is free again afterwards."""

import asyncio
from types import SimpleNamespace
from typing import cast

import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from muster_bus import Bus, Claim, Intake
from muster_protocol.subjects import Names

OF_A_QUEUE = "$JS.ACK.TASKS.act-normal.1.7.1.1700000000000000000.0"
NO_BUS = cast(
    "Bus",
    SimpleNamespace(
        names=Names(),
        nc=SimpleNamespace(new_inbox=lambda: "_INBOX.1", is_connected=False),
        lag=SimpleNamespace(seconds=0.0),
        settings=SimpleNamespace(ack_wait_seconds=15.0),
    ),
)


def faults(intake: Intake) -> float:
    return REGISTRY.get_sample_value("muster_faults_total", {"where": intake.label}) or 0.0


async def work_of(intake: Intake, reply: str) -> None:
    intake._on_message(Msg(cast("Client", None), "muster.tasks.act.normal", reply))
    assert intake.busy == 1
    for _ in range(20):
        await asyncio.sleep(0)
    assert intake.busy == 0


@pytest.mark.parametrize("reply", ["", "_INBOX.2", "$JS.ACK.domain.account.TASKS.act-normal.1.7.1.17.0.x"])
async def test_a_message_of_no_queue_is_counted_as_a_fault_and_leaves_its_slot_free(reply: str):
    handled: list[Claim] = []

    async def handler(claim: Claim) -> None:
        handled.append(claim)

    intake = Intake(NO_BUS, "TASKS", ["act-normal"], slots=1, handler=handler)
    before = faults(intake)
    with capture_logs() as logged:
        await work_of(intake, reply)
    await work_of(intake, OF_A_QUEUE)

    assert [line["event"] for line in logged] == ["message ignored: it is of no queue"]
    assert faults(intake) == before + 1
    assert [claim.message for claim in handled] == [7]
