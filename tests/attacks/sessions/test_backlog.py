"""A backlog larger than the sessions there can be: runs wait in line, and every one has its true verdict."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from deployed import Deployed, identity
from fleet import Fleet, fleet
from shop_screens import SHOP
from waiting import eventually

from muster_bus import Rows, provision
from muster_bus.run_store import read_entries
from muster_client.runs import send_control, submit
from muster_protocol.control import Cancel
from muster_protocol.events import Parked
from muster_protocol.requests import DeviceSpec, Drill, Limits, RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRow

SCREENS = DeviceSpec(kind="screens", definition=SHOP.read_text("utf-8"), source=SHOP.name)
NONE, WEB = DeviceSpec(kind="none"), DeviceSpec(kind="web")


def case(number: int, device: DeviceSpec | None, *, right: bool = True, seconds: float = 0.0) -> TestCase:
    """Return a case of commands in a session with a device; one that is not `right` has to fail."""
    said = number if right else "nothing of the kind"
    command = f"sleep {seconds}; echo run {number}" if seconds else f"echo run {number}"
    steps = (Step(action=f'Run the command "{command}"', expected=f'The output contains "run {said}"'),)
    return TestCase(name=f"Case {number}", steps=steps, device=device)


async def start(group: Fleet, *, sessions: int, **more: str) -> None:
    """Start one process of each kind; the host has room for so many sessions."""
    await group.start("sessions", MAX_SESSIONS=str(sessions), BROWSER_EXECUTABLE="/nowhere", **more)
    await group.start("orchestrator", SWEEP_SECONDS="1", **more)
    await group.start("subagent", ACT_SLOTS="2", **more)


async def ends_true(group: Fleet, runs: dict[str, bool], seconds: float) -> None:
    """Wait for the verdicts: pass where the case is right, else fail for the product's sake."""
    for run, right in runs.items():
        verdict = await group.verdict(run, seconds=seconds)
        assert (verdict.status, str(verdict.cause or "")) == (("pass", "") if right else ("fail", "product")), (
            run,
            verdict.summary,
        )


async def backlog(
    group: Fleet, count: int, *, seconds: float = 0.0, devices: Sequence[DeviceSpec | None] = (NONE, SCREENS, None)
) -> dict[str, bool]:
    """Submit runs on devices by turns, one of seven with a product that fails; return which are right."""
    runs = dict[str, bool]()
    for number in range(count):
        right = number % 7 != 3
        job = case(number, devices[number % len(devices)], right=right, seconds=seconds)
        runs[(await submit(group.bus, RunRequest(job=job))).run] = right
    return runs


async def parked(group: Fleet, run: str) -> bool:
    return any(isinstance(event, Parked) for entry in await read_entries(group.bus, run) for event in entry.events)


@pytest.mark.slow
async def test_twenty_runs_on_two_sessions_end_with_true_verdicts(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, sessions=2)
        await ends_true(group, await backlog(group, 20, seconds=1.0), 120.0)


@pytest.mark.slow
async def test_who_waits_in_line_holds_no_slot_and_is_served_by_priority(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await group.start("sessions", MAX_SESSIONS="1", BROWSER_EXECUTABLE="/nowhere")
        await group.start("orchestrator", ORCHESTRATOR_RUNS="2", SWEEP_SECONDS="1")
        await group.start("subagent")
        limits = Limits(timeout_seconds=10)
        first = (await submit(group.bus, RunRequest(job=case(0, NONE, seconds=9.0)))).run
        low = [(await submit(group.bus, RunRequest(job=case(it, NONE), limits=limits))).run for it in (1, 2)]
        for run in low:
            await eventually(lambda run=run: parked(group, run), f"{run} waits in line, held by nobody", 20.0)
        high = (await submit(group.bus, RunRequest(job=case(3, NONE), priority="high"))).run
        drill = (await submit(group.bus, RunRequest(job=Drill(count=1)))).run
        assert (await group.verdict(drill, seconds=10.0)).status == "pass"
        await ends_true(group, dict.fromkeys([first, high, *low], True), 60.0)
        ended = {run: (await group.verdict(run)).ended_at for run in (high, *low)}
        assert ended[high] < min(ended[run] for run in low)


@pytest.mark.slow
async def test_a_run_that_is_cancelled_in_line_leaves_it(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, sessions=1)
        first = (await submit(group.bus, RunRequest(job=case(0, NONE, seconds=8.0)))).run
        run = (await submit(group.bus, RunRequest(job=case(1, NONE)))).run
        await eventually(lambda: parked(group, run), "it waits in line", 20.0)
        await send_control(group.bus, run, Cancel(id="c"))
        assert (await group.verdict(run)).cause == "cancelled"

        async def left() -> bool:
            return (await group.bus.js.stream_info("OPENINGS")).state.messages == 0

        await eventually(left, "the line is empty")
        await ends_true(group, {first: True}, 30.0)


@pytest.mark.slow
async def test_two_runs_of_two_sessions_each_do_not_wait_for_each_other(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, sessions=2)
        runs = dict[str, bool]()
        for number in range(4):
            job = case(number, NONE, seconds=1.0)
            other = Step(action='Run the command "echo me"', expected='The output contains "me"', session="ann")
            job = TestCase(name=job.name, steps=(*job.steps, other), device=NONE)
            runs[(await submit(group.bus, RunRequest(job=job))).run] = True
        await ends_true(group, runs, 60.0)


@pytest.mark.slow
@pytest.mark.parametrize("killed", ["orchestrator", "sessions"])
async def test_a_process_that_dies_while_runs_wait_costs_no_verdict(tmp_path: Path, killed: str) -> None:
    async with fleet(tmp_path) as group:
        await start(group, sessions=2)
        runs = await backlog(group, 8, seconds=2.0)
        last = list(runs)[-1]
        await eventually(lambda: parked(group, last), "the last one waits in line", 30.0)
        (process,) = group.of(killed)
        process.kill()
        await process.wait()
        again = {"orchestrator": {}, "sessions": {"MAX_SESSIONS": "2", "BROWSER_EXECUTABLE": "/nowhere"}}[killed]
        await group.start(killed, **again)
        verdicts = {run: await group.verdict(run, seconds=90.0) for run in runs}
        lost = {run for run, verdict in verdicts.items() if "and with it session" in verdict.summary}
        assert len(lost) <= (2 if killed == "sessions" else 0)  # those whose command was running
        await ends_true(group, {run: right for run, right in runs.items() if run not in lost}, 1.0)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_sixty_runs_on_six_sessions_and_one_worker_under_the_accounts_of_a_deployment(tmp_path: Path) -> None:
    server = Deployed(tmp_path)
    await server.start()
    try:
        async with server.bus("provisioner") as bus:
            await provision(bus)
        async with server.bus("admin") as bus:
            settings = {"NATS_URL": server.url, "SHUTDOWN_SECONDS": "3", "SESSION_DRAIN_SECONDS": "0"}
            group = Fleet(server, bus, tmp_path, {**os.environ, **settings})
            try:
                for service, more in (("sessions", {"MAX_SESSIONS": "6"}), ("orchestrator", {}), ("subagent", {})):
                    await group.start(service, **identity(service), **more)
                runs = await backlog(group, 60, seconds=1.0, devices=(WEB, SCREENS, None))
                await ends_true(group, runs, 600.0)
            finally:
                await group.stop()
    finally:
        await server.stop()


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_three_hundred_runs_on_two_sessions_with_two_orchestrators(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, sessions=2)
        await group.start("orchestrator", SWEEP_SECONDS="1")
        await ends_true(group, await backlog(group, 300), 1500.0)

        async def left() -> bool:
            waiting = (await group.bus.js.stream_info("OPENINGS")).state.messages
            return waiting == 0 and await Rows(group.bus, "SESSIONS", SessionRow).all() == []

        await eventually(left, "nobody is in line, and no session is left", 20.0)
