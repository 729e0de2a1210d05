"""Every verdict is handed to the gateways once, however the run ended, and whoever drove it."""

import signal

from driven import a_case
from fleet import Fleet
from nats.js.errors import NotFoundError
from played import PlayedWorker
from waiting import eventually

from muster_bus import Bus
from muster_bus.run_store import store_request
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.webhook_messages import WebhookTask
from muster_text.request_rules import with_id_and_time


async def queued(bus: Bus) -> list[WebhookTask]:
    """Return what waits to be told."""
    state = (await bus.js.stream_info("WEBHOOKS")).state
    found: list[WebhookTask] = []
    for sequence in range(max(1, state.first_seq), state.last_seq + 1):
        try:
            stored = await bus.js.get_msg("WEBHOOKS", seq=sequence)
        except NotFoundError:
            continue
        found.append(codec.decode(stored.data or b"", WebhookTask))
    return found


async def test_a_run_that_ended_is_queued_once_though_its_owner_was_lost_before_it_was_closed(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    owner = await team.start("orchestrator")
    await submit(bus, RunRequest(job=a_case(), id="run-1"))
    await worker.given("run-1", "plan")
    await send_control(bus, "run-1", Cancel(id="c1", by="Ada"))
    await team.verdict("run-1")

    async def one() -> bool:
        return len(await queued(bus)) == 1

    await eventually(one, "its verdict is queued")
    owner.send_signal(signal.SIGKILL)
    await owner.wait()
    await team.start("orchestrator")
    await team.closed("run-1")
    assert await queued(bus) == [WebhookTask(run="run-1")]


async def test_a_run_that_is_cancelled_before_anybody_began_it_is_queued_too(team: Fleet, bus: Bus):
    await store_request(bus, with_id_and_time(RunRequest(job=Drill(), id="run-1"), 1.0))
    await send_control(bus, "run-1", Cancel(id="c1", by="Ada"))
    await team.start("orchestrator")
    await team.closed("run-1")

    async def told() -> bool:
        return await queued(bus) == [WebhookTask(run="run-1")]

    await eventually(told, "its verdict is queued")
