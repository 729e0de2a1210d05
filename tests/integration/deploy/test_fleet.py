"""The services at work, each as its own user of deploy/nats.conf: what they need is allowed."""

import json
from pathlib import Path

import httpx
from deployed import Deployed, identity
from fleet import Fleet

from muster_protocol import codec
from muster_protocol.bus import provision
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.verdicts import Verdict

CASE = """\
name: A greeting
steps:
  - action: Open "{url}"
    expected: The page title is "Greeting"
  - action: Run the command "echo hello > note.txt && cat note.txt"
    expected: The output contains "hello"
"""
REFUSED = "lacks a permission"


def refusals(fleet: Fleet) -> list[str]:
    """Return the lines in which services say that the server refused them something."""
    logs = fleet.folder.glob("*-*.log")
    return [line for log in logs for line in log.read_text().splitlines() if REFUSED in line]


async def test_the_provisioner_makes_everything_and_finds_it_unchanged_the_second_time(server: Deployed) -> None:
    async with server.bus("provisioner") as bus:
        made = await provision(bus)
        again = await provision(bus)

    assert {"RUNS", "TASKS/act-normal", "RUN_LIST", "ARTIFACTS"} <= set(made)
    assert again == ()


async def test_a_drill_from_outside_runs_to_its_verdict(fleet: Fleet, server: Deployed) -> None:
    await fleet.start("orchestrator", **identity("orchestrator"))
    await fleet.start("subagent", **identity("subagent"))
    request = {"job": {"type": "drill", "count": 5}, "reply_to": "muster.replies.publisher.drill"}

    async with server.trial("publisher") as outside:
        verdicts = await outside.client.subscribe("muster.replies.publisher.drill")
        await outside.client.flush()
        answer = await outside.client.request("muster.submit", json.dumps(request).encode(), timeout=10)
        told = codec.decode((await verdicts.next_msg(timeout=30)).data, Verdict)

    assert json.loads(answer.data)["type"] == "accepted"
    assert (told.status, told.summary) == ("pass", "5 of 5 sub-tasks passed")
    await fleet.closed(json.loads(answer.data)["run"])
    assert refusals(fleet) == []


async def test_a_request_published_directly_runs_too(fleet: Fleet, server: Deployed) -> None:
    await fleet.start("orchestrator", **identity("orchestrator"))
    await fleet.start("subagent", **identity("subagent"))

    async with server.trial("publisher") as outside:
        ack = await outside.client.request("muster.requests.nightly", codec.encode(RunRequest(job=Drill(count=1))))
        assert json.loads(ack.data)["stream"] == "REQUESTS"
        assert (await fleet.verdict("nightly")).status == "pass"
        assert outside.refused == []
    assert refusals(fleet) == []


async def test_a_case_sent_to_the_gateway_runs_in_a_browser_and_leaves_its_files(
    fleet: Fleet, tmp_path: Path, greeting_page: str
) -> None:
    port_file = tmp_path / "port"
    await fleet.start("gateway", **identity("gateway"), HTTP_PORT="0", PORT_FILE=str(port_file))
    await fleet.start("orchestrator", **identity("orchestrator"))
    await fleet.start("sessions", **identity("sessions"), SANDBOX="none")
    await fleet.start("subagent", **identity("subagent"))

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port_file.read_text().strip()}", timeout=30) as http:
        case = CASE.format(url=greeting_page)
        accepted = await http.post("/runs", content=case, headers={"Content-Type": "application/yaml"})
        run = accepted.json()["run"]
        verdict = await fleet.verdict(run)
        await fleet.closed(run)
        listed = (await http.get("/runs")).json()
        shown = (await http.get(f"/runs/{run}")).json()
        files = (await http.get(f"/runs/{run}/artifacts")).json()["artifacts"]
        trace = await http.get(f"/runs/{run}/artifacts/{files[0]['name']}")

    print(verdict, accepted.text, listed, shown, files)
    assert verdict.status == "pass", verdict.summary
    assert [row["run"] for row in listed["runs"]] == [run]
    assert shown["verdict"]["status"] == "pass"
    assert len(trace.content) == files[0]["size"] > 0
    assert refusals(fleet) == []
