"""Traces as a collector gets them: one connected tree a run, across all services, without a word of what was said."""

import json
from pathlib import Path

import httpx
import pytest
from fleet import Fleet
from model_server import Answer, Asked, does, gives, passes
from otlp import Received, Receiver, otlp_receiver
from thinking import Stage, stage
from waiting import eventually

TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
FORM = '<h1>Sign up</h1><label>Code word <input name="code"></label><button onclick="this.textContent=1">Go on</button>'


def script(asked: Asked) -> Answer:
    if asked.role == "planner":
        return gives({"sub_tasks": [{"covers": [n], "description": f"step {n}", "why": ""} for n in (1, 2)]})
    return does(("type", {"element": "Code word", "text": "swordfish"}), passes())


async def gateway(group: Fleet, folder: Path) -> str:
    """Start a gateway and return its address."""
    await group.start("gateway", HTTP_PORT="0", PORT_FILE=str(folder / "port"))
    return f"http://127.0.0.1:{(folder / 'port').read_text().strip()}"


async def run_by_http(made: Stage, address: str) -> str:
    """Submit a case as a system does that traces, too; return the run when it is over."""
    made.site.pages["/form"] = FORM
    made.model.script = script
    steps = [
        {"action": f'Open "{made.site.url}/form"', "expected": 'The text "Sign up" is visible'},
        {"action": "Give the code word", "expected": 'The text "Sign up" is visible'},
    ]
    body = {"job": {"type": "test_case", "name": "Sign up", "steps": steps}}
    async with httpx.AsyncClient() as http:
        sent = await http.post(f"{address}/runs", json=body, headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    run = str(sent.raise_for_status().json()["run"])
    verdict = await made.fleet.verdict(run)
    assert verdict.status == "pass", verdict.summary
    await made.fleet.closed(run)
    return run


async def spans_of(receiver: Receiver) -> list[Received]:
    """Return what has come once nothing is missing: no span whose parent never came."""

    async def whole() -> list[Received] | None:
        found = list(receiver.spans)
        known = {span.id for span in found} | {CALLER}
        services = {span.service for span in found}
        complete = len(services) == 4 and all(span.parent in known for span in found)
        names = {span.name for span in found}  # each service sends in batches, so a tree may be whole and still grow
        return found if complete and {"run", "execute_tool type"} <= names else None

    return await eventually(whole, "a connected tree has come")


@pytest.mark.slow
async def test_one_run_is_one_connected_tree_across_all_services(tmp_path: Path):
    with otlp_receiver() as receiver:
        async with stage(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url, LOG_FORMAT="json") as made:
            run = await run_by_http(made, await gateway(made.fleet, tmp_path))
            spans = await spans_of(receiver)

    assert {span.trace for span in spans} == {TRACE}
    assert {span.service for span in spans} == {
        "muster-gateway",
        "muster-orchestrator",
        "muster-subagent",
        "muster-sessions",
    }
    by_id = {span.id: span for span in spans}
    path = [next(span for span in spans if span.name == "execute_tool type")]
    while path[-1].parent in by_id:
        path.append(by_id[path[-1].parent])
    assert [span.name for span in path] == [
        "execute_tool type",
        "work step",
        "sub_task step",
        "run",
        "submit",
        "POST /runs",
    ]
    assert path[-1].parent == CALLER
    assert {"chat small", "chat large", "sub_task plan"} <= {span.name for span in spans}
    assert {span.attributes["gen_ai.provider.name"] for span in spans if span.name.startswith("chat ")} == {"openai"}
    root = next(span for span in spans if span.name == "run")
    assert (root.attributes["muster.run"], root.attributes["muster.status"], root.error) == (run, "pass", "")
    exported = b"".join(receiver.bodies)
    assert b"swordfish" not in exported
    assert b"You carry out" not in exported
    for log in ("orchestrator-0", "sessions-1", "subagent-2", "gateway-3"):
        logged = [json.loads(line) for line in (tmp_path / f"{log}.log").read_text().splitlines()]
        assert [it["event"] for it in logged if it.get("trace_id") == TRACE and it.get("run") == run], log
    events = [json.loads(line) for line in (tmp_path / "orchestrator-0.log").read_text().splitlines()]
    told = [it["event"] for it in events if it.get("run") == run]
    assert (told[0], told[-1]) == ("run started", "run ended")
