"""Provisioning makes what is missing, leaves what is right, and refuses what differs."""

import asyncio
from pathlib import Path

import pytest
from nats.js.api import DiscardPolicy, StorageType

from muster_bus import Bus, Log, Rows, provision
from muster_bus.nats_server import NatsServer, nats_server
from muster_bus.streams import consumer_configs, stream_configs
from muster_bus.testing import connected
from muster_protocol.buckets import BUCKETS
from muster_protocol.errors import ConfigDrift
from muster_protocol.kinds import POOLS
from muster_protocol.logs import RunRow
from muster_protocol.requests import DEVICE_KINDS, PRIORITIES

STREAMS = (
    "REQUESTS",
    "RUNS",
    "TASKS",
    "OPENINGS",
    "JOURNAL",
    "CONTROL",
    "LOGS",
    "WEBHOOKS",
    "EVENTS",
    "DEAD",
    "ADVISORIES",
)


async def test_an_empty_server_gets_everything_and_a_second_time_nothing(tmp_path: Path):
    async with nats_server(tmp_path) as server, connected(server) as bus:
        made = await provision(bus)
        assert made == (
            *STREAMS,
            *(
                "REQUESTS/runs",
                "CONTROL/controls",
                "EVENTS/events",
                "WEBHOOKS/webhooks",
            ),
            *(f"TASKS/{pool}-{priority}" for pool in POOLS for priority in PRIORITIES),
            *(f"OPENINGS/{kind}-{priority}" for kind in DEVICE_KINDS for priority in PRIORITIES),
            *(
                "SNAPSHOTS",
                "RUN_LIST",
                "SESSIONS",
                "FLEET",
                "TRIGGERS",
                "DEFINITIONS",
                "CASES",
                "SECRETS",
                "RECORDINGS",
                "COSTS",
                "NOTES",
                "HISTORIES",
                "GRAPHS",
                "LEASES",
                "PACE",
                "WORKERS",
                "ARTIFACTS",
            ),
        )
        assert await provision(bus) == ()


async def test_those_who_provision_at_once_do_not_take_each_others_streams_for_other_ones(tmp_path: Path):
    async with nats_server(tmp_path) as server, connected(server) as bus, connected(server) as other:
        made = await asyncio.gather(provision(bus), provision(other))
        assert set(STREAMS) <= {*made[0], *made[1]}


@pytest.mark.parametrize("ack_wait", [0.5, 1.0, 2.01, 4.1, 15.0, 59.999])
async def test_any_time_to_wait_is_found_as_it_was_made(tmp_path: Path, ack_wait: float):
    async with nats_server(tmp_path) as server, connected(server, ack_wait_seconds=ack_wait) as bus:
        await provision(bus)
        assert await provision(bus) == ()


async def test_several_processes_may_provision_at_once(tmp_path: Path):
    async with (
        nats_server(tmp_path) as server,
        connected(server) as a,
        connected(server) as b,
        connected(server) as c,
    ):
        await asyncio.gather(*(provision(bus) for bus in (a, b, c)))
        assert await provision(a) == ()


async def test_another_prefix_on_the_same_server_has_its_own_of_everything(server: NatsServer, bus: Bus):
    async with connected(server, muster_prefix="team-b") as theirs:
        made = await provision(theirs)
        assert len(made) == 50
        assert all(name.startswith("TEAM-B_") for name in made)
        await Log(theirs, "RUNS", theirs.names.events("r")).append(RunRow(run="r", name="n", status="running"))
        await Rows(theirs, "RUN_LIST", RunRow).put("r", RunRow(run="r", name="n", status="running"))

        assert (await bus.js.stream_info("RUNS")).state.messages == 0
        assert await Rows(bus, "RUN_LIST", RunRow).get("r") is None
        assert await Rows(theirs, "RUN_LIST", RunRow).get("r") is not None


async def test_a_stream_that_differs_is_refused_with_what_differs_and_what_to_do(bus: Bus):
    config = (await bus.js.stream_info("RUNS")).config
    await bus.js.update_stream(config.evolve(discard=DiscardPolicy.OLD, max_age=3600.0))

    with pytest.raises(ConfigDrift) as caught:
        await provision(bus)
    text = str(caught.value)
    assert text.startswith("stream RUNS differs from what this version needs: ")
    assert "discard is old, wanted new" in text
    assert "max_age is 3600.0, wanted 2592000.0" in text
    assert text.endswith("Change it with the nats tool, or use another MUSTER_PREFIX.")


async def test_a_stream_of_somebody_else_under_our_name_is_refused(tmp_path: Path):
    async with nats_server(tmp_path) as server, connected(server) as bus:
        await bus.js.add_stream(name="TASKS", subjects=["other.tasks.>"])

        with pytest.raises(ConfigDrift, match=r"stream TASKS .*subjects"):
            await provision(bus)


async def test_another_time_to_wait_is_refused_since_the_whole_fleet_must_agree(server: NatsServer):
    async with connected(server, ack_wait_seconds=7.0) as bus:
        with pytest.raises(ConfigDrift, match=r"consumer REQUESTS/runs .*ack_wait is 1.0, wanted 7.0"):
            await provision(bus)


async def test_another_number_of_runs_at_once_is_refused(server: NatsServer):
    async with connected(server, ack_wait_seconds=1.0, max_runs=3) as bus:
        with pytest.raises(ConfigDrift, match="max_ack_pending is 256, wanted 3"):
            await provision(bus)


async def test_a_bucket_whose_rows_live_otherwise_is_refused(bus: Bus):
    config = (await bus.js.stream_info("KV_WORKERS")).config
    await bus.js.update_stream(config.evolve(max_age=3600.0, duplicate_window=120.0))

    with pytest.raises(ConfigDrift, match=r"bucket WORKERS .*max_age is 3600.0, wanted 30.0"):
        await provision(bus)


async def test_what_was_deleted_is_made_again_and_the_rest_left_alone(bus: Bus):
    await Log(bus, "RUNS", bus.names.events("r")).append(RunRow(run="r", name="n", status="running"))
    await bus.js.delete_consumer("TASKS", "act-high")
    await bus.js.delete_key_value("SESSIONS")

    assert await provision(bus) == ("TASKS/act-high", "SESSIONS")
    assert (await bus.js.stream_info("RUNS")).state.messages == 1


async def test_operators_may_give_streams_more_or_less_room(bus: Bus):
    config = (await bus.js.stream_info("LOGS")).config
    await bus.js.update_stream(config.evolve(max_bytes=2**30))

    assert await provision(bus) == ()


async def test_everything_is_kept_on_disk(bus: Bus):
    names = [config.name for config in stream_configs(bus.names)] + [f"KV_{bucket.name}" for bucket in BUCKETS]
    for name in [*names, "OBJ_ARTIFACTS"]:
        assert name is not None
        assert (await bus.js.stream_info(name)).config.storage == StorageType.FILE


async def test_the_consumers_give_up_on_no_message_by_themselves(bus: Bus):
    for stream, config in consumer_configs(bus.names, bus.settings):
        assert config.name is not None
        live = (await bus.js.consumer_info(stream, config.name)).config
        assert (live.max_deliver, live.ack_wait) == (-1, 1.0)
