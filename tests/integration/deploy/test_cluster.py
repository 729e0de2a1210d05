"""A cluster of three NATS servers, as docs/operations.md describes it: the fleet goes on without one of them."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import pytest
from clustered import Cluster, clustered
from deployed import identity
from fleet import Fleet
from nats.errors import Error as NatsError
from waiting import eventually

from muster_bus import provision
from muster_bus.run_store import find_verdict, read_entries
from muster_cli.runner import submit_patiently
from muster_protocol.errors import ConfigDrift
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
async def cluster(tmp_path: Path) -> AsyncGenerator[Cluster]:
    """Three servers that know each other, with every stream on each of them."""
    async with clustered(tmp_path) as found:
        for number in range(3):
            await eventually(lambda number=number: found.healthy(number), f"server {number} is up", 60)
        async with found.bus("provisioner") as bus:
            await provision(bus)
        yield found


@pytest.fixture
async def fleet(cluster: Cluster, tmp_path: Path) -> AsyncGenerator[Fleet]:
    """An orchestrator and a worker that know all three servers."""
    settings = {"NATS_URL": cluster.url, "LOG_FORMAT": "json", "SHUTDOWN_SECONDS": "3", "SESSION_DRAIN_SECONDS": "0"}
    async with cluster.bus("admin") as bus:
        made = Fleet(cluster, bus, tmp_path, {**os.environ, **settings})  # type: ignore[arg-type]
        try:
            for service in ("orchestrator", "subagent"):
                await made.start(service, **identity(service))
            yield made
        finally:
            await made.stop()


async def verdict_of(fleet: Fleet, run: str) -> Verdict:
    """Return a run's verdict, however often no server answers meanwhile."""

    async def look() -> Verdict | None:
        with suppress(TimeoutError, NatsError):
            return find_verdict(await read_entries(fleet.bus, run))
        return None

    return await eventually(look, f"verdict of {run}", 150)


def drill(run: str, count: int) -> RunRequest:
    """Return a request for a chain of sub-tasks that wait."""
    return RunRequest(id=run, job=Drill(count=count, wait_seconds=0.1))


@pytest.mark.slow
async def test_a_server_killed_under_a_run_costs_nothing_and_comes_back(cluster: Cluster, fleet: Fleet) -> None:
    async with cluster.bus("publisher"):
        pass  # outside systems get in, too
    streams = [info.config for info in await fleet.bus.js.streams_info()]
    await submit_patiently(fleet.bus, drill("before", 5))
    await verdict_of(fleet, "before")

    await submit_patiently(fleet.bus, drill("during", 40))
    leader = await cluster.leader(fleet.bus, "RUNS")
    await cluster.end(leader, signal.SIGKILL)
    during = await verdict_of(fleet, "during")
    await cluster.start(leader)
    await eventually(lambda: cluster.healthy(leader), "the killed server has caught up", 90)

    assert {config.num_replicas for config in streams} == {3}
    assert (during.status, during.summary) == ("pass", "40 of 40 sub-tasks passed")
    assert (await verdict_of(fleet, "before")).status == "pass"


@pytest.mark.slow
async def test_servers_are_replaced_one_by_one_while_runs_go_on(cluster: Cluster, fleet: Fleet) -> None:
    async def steady() -> list[str]:
        names = [f"steady-{number}" for number in range(12)]
        for name in names:
            await submit_patiently(fleet.bus, drill(name, 10), patience=60)
            await verdict_of(fleet, name)
        return names

    runs = asyncio.create_task(steady())
    for number in range(3):
        await cluster.end(number, signal.SIGUSR2)  # lame duck: clients and leaders move on, then it stops
        await cluster.start(number)
        await eventually(lambda number=number: cluster.healthy(number), f"server {number} has caught up", 90)
    verdicts = [await verdict_of(fleet, name) for name in await asyncio.wait_for(runs, 200)]

    assert {verdict.status for verdict in verdicts} == {"pass"}


@pytest.mark.slow
async def test_provisioning_refuses_streams_that_fewer_servers_keep_than_asked_for(tmp_path: Path) -> None:
    async with clustered(tmp_path) as cluster:
        for number in range(3):
            await eventually(lambda number=number: cluster.healthy(number), f"server {number} is up", 60)
        async with cluster.bus("provisioner", copies=1) as bus:
            await provision(bus)
        async with cluster.bus("provisioner", copies=3) as bus:
            with pytest.raises(ConfigDrift, match=r"kept by 1 server.*nats stream edit .* --replicas 3"):
                await provision(bus)
