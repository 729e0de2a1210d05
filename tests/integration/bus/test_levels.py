"""How much waits and how full streams are, as a real server tells, and what of it the metrics show."""

import asyncio

import pytest
from prometheus_client import REGISTRY
from waiting import eventually
from workshop import Workshop, at_work

from muster_bus import Bus
from muster_bus.levels import QueueLevel, fullness, queue_levels, split_consumer_name, stream_levels
from muster_bus.nats_server import NatsServer
from muster_bus.testing import connected, provisioned_server
from muster_orchestrator import queue_sampler
from muster_protocol.subjects import Names

SUBJECT = "muster.tasks.act.high"


async def level(bus: Bus, queue: str, priority: str) -> QueueLevel:
    (found,) = [it for it in await queue_levels(bus) if (it.queue, it.priority) == (queue, priority)]
    return found


def shown(name: str, **labels: str) -> float | None:
    return REGISTRY.get_sample_value(name, labels)


async def test_what_waits_is_told_from_what_is_at_work_and_only_waiting_makes_it_old(bus: Bus):
    for text in ("one", "two", "three"):
        await bus.store(SUBJECT, text.encode())
    await asyncio.sleep(0.3)
    waiting = await level(bus, "TASKS/act", "high")
    workshop = Workshop()
    async with at_work(bus, workshop, 3, ("act-high",)):
        await eventually(lambda: workshop.busy == 3, "all are taken")
        working = await level(bus, "TASKS/act", "high")
        assert (shown("muster_slots", queue="TASKS/act"), shown("muster_slots_busy", queue="TASKS/act")) == (3, 3)

    assert (waiting.pending, waiting.ack_pending) == (3, 0)
    assert 0.3 <= waiting.oldest_seconds < 10
    assert (working.pending, working.ack_pending, working.oldest_seconds) == (0, 3, 0.0)
    where = {"queue": "TASKS/act", "priority": "high"}
    for told in (waiting, working):
        queue_sampler.set_gauges((told,), ())
        assert shown("muster_queue_oldest_waiting_seconds", **where) == told.oldest_seconds
        assert (shown("muster_queue_pending", **where), shown("muster_queue_ack_pending", **where)) == told[2:4]
    assert {(it.queue, it.priority) for it in await queue_levels(bus)} >= {
        ("REQUESTS/runs", ""),
        ("TASKS/think", "normal"),
    }


async def test_streams_tell_what_they_hold_and_how_near_their_limits_they_are(bus: Bus):
    await bus.store(SUBJECT, b"one")
    found = {it.stream: it for it in await stream_levels(bus)}

    assert found["TASKS"].messages == 1
    assert 0 < found["TASKS"].full < 0.001
    assert found["TASKS"].consumers == 6
    assert {"RUNS", "JOURNAL", "LOGS", "DEAD", "KV_WORKERS", "OBJ_ARTIFACTS"} <= set(found)


async def test_names_are_told_without_the_prefix_of_a_team():
    async with provisioned_server(muster_prefix="team") as server, connected(server, muster_prefix="team") as bus:
        queues, streams = await queue_levels(bus), await stream_levels(bus)

    assert "REQUESTS/runs" in {it.queue for it in queues}
    assert {"RUNS", "KV_WORKERS", "OBJ_ARTIFACTS"} <= {it.stream for it in streams}


@pytest.mark.slow
async def test_metrics_show_what_was_read_last_and_nothing_while_nats_is_away(server: NatsServer):
    async with connected(server, metrics_port=0, ack_wait_seconds=1.0) as bus:
        await bus.store(SUBJECT, b"one")
        async with queue_sampler.sample_queues(bus):
            labels = {"queue": "TASKS/act", "priority": "high"}
            await eventually(lambda: shown("muster_queue_pending", **labels) == 1.0, "what waits is shown")
            assert shown("muster_stream_messages", stream="TASKS") == 1.0
            assert bus.trouble == ""
            await server.stop()
            await eventually(lambda: shown("muster_queue_pending", **labels) is None, "nothing is shown")
            await server.start()
            await eventually(lambda: shown("muster_queue_pending", **labels) == 1.0, "what waits is shown again")


async def test_a_claim_that_lasts_longer_here_than_at_the_server_is_told_as_a_problem(server: NatsServer):
    async with connected(server, metrics_port=0, ack_wait_seconds=15.0) as bus, queue_sampler.sample_queues(bus):
        await eventually(lambda: "ack_wait: ACK_WAIT_SECONDS is 15 here and 1 in consumer" in bus.trouble, "it is told")


async def test_nothing_is_read_for_a_process_without_a_port_for_metrics(bus: Bus):
    queue_sampler.clear_gauges()
    async with queue_sampler.sample_queues(bus):
        await bus.flush_subscriptions()
        assert shown("muster_queue_pending", queue="TASKS/act", priority="high") is None


def test_a_consumer_is_a_pool_and_a_priority_and_fullness_counts_the_nearer_limit():
    assert split_consumer_name("act-high") == ("act", "high")
    assert split_consumer_name("my-pool-normal") == ("my-pool", "normal")
    assert split_consumer_name("runs") == ("runs", "")
    assert split_consumer_name("a-b") == ("a-b", "")
    assert fullness(5, 10, 1, 100) == 0.5
    assert fullness(5, -1, 80, 100) == 0.8
    assert fullness(5, 0, 80, -1) == 0.0
    assert Names.under("team").plain("KV_TEAM_WORKERS") == "KV_WORKERS"
