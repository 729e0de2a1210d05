"""A real Prometheus scrapes a fleet at work: what dashboards and alerts ask for is there, and a fleet that is well fires none."""

import asyncio
import itertools
import json
import math
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from typing import NamedTuple

import httpx
import pytest
import pytest_asyncio
from counted import port_of
from fleet import Fleet, fleet
from model_server import Answer, Asked, does, gives, model_server, passes, refuses
from scraping import DASHBOARDS, Prometheus, alerts, needs_prometheus, prometheus, selectors
from waiting import eventually

from muster_client.runs import submit
from muster_protocol.requests import Drill, RunRequest, Step, TestCase

pytestmark = [needs_prometheus, pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="module")]

SERVICES = ("orchestrator", "orchestrator", "subagent", "subagent", "subagent", "sessions", "gateway")
PATIENCE = 120.0
NEVER_WHILE_WELL = {'muster_gateway_requests_total{status=~"5.."}'}
"""Series that begin with the first fault."""
MOVED = (
    *("muster_run_requests_total", "muster_runs_total", "muster_run_schedule_to_start_seconds_count"),
    *("muster_subtasks_dispatched_total", "muster_subtasks_total", "muster_subtask_schedule_to_start_seconds_count"),
    *("muster_tool_calls_total", "muster_model_calls_total", "gen_ai_client_token_usage_sum"),
    *("muster_sessions_opened_total", "muster_sessions_ended_total", "muster_sessions_limit"),
    *("muster_slots", "muster_slots_busy", "muster_queue_ack_pending", "muster_queue_waiting_pulls"),
    *("muster_stream_messages", "muster_event_loop_lag_seconds_count", "muster_nats_round_trip_seconds_count"),
    *(
        "muster_gateway_requests_total",
        "muster_gateway_relay_lines_sent_total",
        "muster_gateway_relay_lag_seconds_count",
    ),
    'muster_log_appends_total{stream="RUNS", result="ok"}',
    'muster_log_appends_total{stream="JOURNAL", result="ok"}',
)
"""What the load below makes more than 0, at least for a moment."""


class Watched(NamedTuple):
    """A fleet at work, and who watches it."""

    group: Fleet
    prometheus: Prometheus
    gateway: httpx.AsyncClient


def answer(asked: Asked) -> Answer:
    """Plan steps as they are, carry one out, and fail now and then."""
    if asked.number == 1:
        return refuses(400, "no such thing today")
    if asked.role == "planner":
        return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in (1, 2)]})
    return does(("execute_command", {"command": "echo hello"}), passes())


def case(number: int) -> TestCase:
    """Return a case whose second step a model has to carry out: nothing is recorded yet for its words."""
    return TestCase(
        name="greet",
        steps=(
            Step(action='Run the command "echo hi"', expected='The output contains "hi"'),
            Step(action=f"Have the shell say hello to guest {number}", expected='The output contains "hello"'),
        ),
    )


async def keep_busy(group: Fleet, gateway: httpx.AsyncClient) -> None:
    """Have runs of all kinds begun for ever: drills, a case with a model, requests over HTTP, and somebody who follows."""
    for number in itertools.count():
        run = (await submit(group.bus, RunRequest(job=case(number)))).run
        await gateway.get("/runs")
        for address in (f"/runs/{run}/logs", "/logs"):
            await submit(group.bus, RunRequest(job=Drill(count=5, wait_seconds=0.2)))
            with suppress(httpx.TimeoutException):
                await gateway.get(address, headers={"Accept": "text/event-stream"}, timeout=2)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def watched(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Watched]:
    folder = tmp_path_factory.mktemp("watched")
    with model_server(answer) as model:
        models = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "k", "SUB_AGENT_MODEL": "small", "MODEL_RETRIES": "0"}
        models["MODEL_REQUESTS_PER_MINUTE"] = "600"
        shape = {"METRICS_PORT": "0", "LOG_FORMAT": "json", "HTTP_PORT": "0", "MODEL_PRICES": "small=1/2"}
        async with fleet(folder, **models, **shape) as group:
            found: dict[str, list[str]] = {}
            for number, service in enumerate(SERVICES):
                await group.start(service)
                port = port_of(folder / f"{service}-{number}.log", "health port open")
                found.setdefault(service, []).append(f"127.0.0.1:{port}")
            address = f"http://127.0.0.1:{port_of(folder / 'gateway-6.log', 'http port open')}"
            async with (
                httpx.AsyncClient(base_url=address, timeout=10) as gateway,
                prometheus(folder / "p", found) as asked,
            ):
                working = asyncio.create_task(keep_busy(group, gateway))
                yield Watched(group, asked, gateway)
                working.cancel()
                await asyncio.wait({working})


def queries() -> dict[str, str]:
    """Return every query of every dashboard by where it is, as Grafana would send it."""
    found: dict[str, str] = {}
    for path in sorted(DASHBOARDS.glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                expr = target["expr"].replace("$__rate_interval", "30s").replace("$__range", "5m")
                found[f"{path.stem}: {panel['title']} ({target['refId']})"] = expr
    return found


async def without_data(asked: Prometheus, wanted: Iterable[str]) -> list[str]:
    """Return the expressions that give no number now."""
    answers = {expr: await asked.query(expr) for expr in wanted}
    return [expr for expr, found in answers.items() if not any(math.isfinite(it.value) for it in found)]


async def until_all_have_data(asked: Prometheus, wanted: Iterable[str]) -> list[str]:
    """Return the expressions that have not given a number within the time that a busy fleet takes to show all."""
    left = list(dict.fromkeys(wanted))

    async def none_left() -> bool:
        nonlocal left
        left = await without_data(asked, left)
        return not left

    with suppress(AssertionError):
        await eventually(none_left, "every query has given data", PATIENCE)
    return left


async def test_every_replica_is_scraped(watched: Watched):
    async def all_up() -> bool:
        targets = await watched.prometheus.targets()
        return sorted(targets.values()) == ["up"] * len(SERVICES)

    await eventually(all_up, "every target is up")
    services = await watched.prometheus.query("count by (service) (muster_service_info)")
    assert {it.labels["service"]: it.value for it in services} == {it: SERVICES.count(it) for it in SERVICES}


async def test_every_query_of_the_dashboards_returns_data(watched: Watched):
    shown = queries()
    missing = await until_all_have_data(watched.prometheus, shown.values())

    assert len(shown) > 60
    assert [where for where, expr in shown.items() if expr in missing] == []


async def test_what_the_load_causes_is_counted(watched: Watched):
    wanted = [f"sum(max_over_time({series}[5m])) > 0" for series in MOVED]
    assert await until_all_have_data(watched.prometheus, wanted) == []


async def test_every_alert_reads_series_there_are_and_none_fires_while_the_fleet_is_well(watched: Watched):
    read = {it for rule in alerts().values() for it in selectors(rule["expr"])} - NEVER_WHILE_WELL
    missing = await until_all_have_data(watched.prometheus, read)
    states = await watched.prometheus.rules()

    assert missing == []
    assert {rule["name"] for rule in states} == set(alerts())
    assert {rule["name"]: rule.get("lastError", "") for rule in states if rule["health"] != "ok"} == {}
    assert [rule["name"] for rule in states if rule["state"] == "firing"] == []


async def test_orchestrators_side_by_side_tell_the_same_of_the_queues(watched: Watched):
    told = await watched.prometheus.query("count by (queue, priority) (muster_queue_pending)")
    read = await watched.prometheus.query("max by (stream) (muster_stream_messages)")

    assert {it.value for it in told} == {float(SERVICES.count("orchestrator"))}
    assert {"REQUESTS/runs", "TASKS/act", "TASKS/think"} <= {it.labels["queue"] for it in told}
    assert {it.labels["stream"]: it.value for it in read}["RUNS"] > 0


async def test_an_alert_fires_when_a_kind_of_process_is_gone_and_runs_wait_for_it(watched: Watched):
    for process in watched.group.of("subagent"):
        process.kill()
        await process.wait()
    await submit(watched.group.bus, RunRequest(job=Drill(count=1)))

    async def told() -> bool:
        unserved = await watched.prometheus.query("sum by (what) (muster_runs_unserved) > 0")
        down = await watched.prometheus.query('up{job="subagent"} == 0')
        states = {rule["name"]: rule["state"] for rule in await watched.prometheus.rules()}
        waiting = "pool think" in {it.labels["what"] for it in unserved}
        noticed = all(states[name] in ("pending", "firing") for name in ("MusterTargetDown", "MusterUnserved"))
        return waiting and noticed and len(down) == SERVICES.count("subagent")

    await eventually(told, "Prometheus has seen that nobody works", 60)
