"""Failures that other products with sub-agents are known for, each by its name; each on a fleet of its own."""

import sys
import threading
from pathlib import Path

import pytest
from assigned import Team, done, spawns, team
from checkouts import FILES, digest, repository_of
from model_server import Answer, Asked, does
from needed import needs_sandbox
from waiting import eventually

from muster_bus.run_store import read_entries
from muster_client.runs import send_control
from muster_protocol.control import Answer as Said
from muster_protocol.events import Asked as Asking
from muster_protocol.journal import CallStarted, Finished
from muster_subagent.foreign.server_calls import list_declared
from muster_subagent.foreign.server_file import read_servers, write_accepted

pytestmark = pytest.mark.slow
SERVER = Path(__file__).parents[1] / "support" / "issues_server.py"
CAREFUL = """\
kind: assign
instructions: You lead.
tools: [mcp_issues, agents]
spawns: [triager]
approval_required_for: [mcp_issues]
"""
TRIAGER = "kind: assign\ninstructions: You look for issues.\ntools: [mcp_issues]\n"
LEAF = "assignment-1-0-1"


async def finds_in_journal(crew: Team, task: str, kind: type) -> bool:
    return any(isinstance(entry, kind) for entry in await crew.fleet.journal(task))


async def test_a_deny_rule_for_the_tools_of_a_server_holds_for_an_agent_that_is_asked(tmp_path: Path):
    file = tmp_path / "mcp.yaml"
    file.write_text(f"servers:\n  issues: {{command: [{sys.executable}, {SERVER}, Find issues.]}}\n")
    write_accepted(file, {"issues": await list_declared("issues", read_servers(file)["issues"], {})})
    heard: list[str] = []

    def triages(asked: Asked) -> Answer:
        heard.append(asked.last)
        return does(("mcp_issues_delete_all", {})) if asked.turn == 0 else done("as I was told")

    async with team(tmp_path, MCP_SERVERS=str(file)) as crew:
        (tmp_path / "agents" / "careful.yaml").write_text(CAREFUL)
        (tmp_path / "agents" / "triager.yaml").write_text(TRIAGER)
        for service in ("orchestrator", "subagent"):
            await crew.fleet.start(service)
        crew.parts["Clean up"] = lambda it: done("asked") if it.turn else spawns("triager", "Delete all")
        crew.parts["Delete all"] = triages
        run = await crew.submits("Clean up", "careful")

        async def asking() -> Asking | None:
            events = [event for entry in await read_entries(crew.fleet.bus, run) for event in entry.events]
            return next((event for event in events if isinstance(event, Asking)), None)

        asked = await eventually(asking, "a person is asked")
        await send_control(crew.fleet.bus, run, Said(id="no", question=asked.question, text="no"))
        verdict = await crew.fleet.verdict(run)

    assert verdict.status == "done"
    assert "mcp_issues_delete_all" in asked.text
    assert "error" in heard[1]
    [leaf] = [result for result in verdict.results if result.node != "assignment"]
    assert any(text.startswith("mcp_issues_delete_all") for text in leaf.refusals)


async def test_a_reply_is_not_lost_though_nobody_is_there_to_take_it(tmp_path: Path):
    held = threading.Event()
    told: list[str] = []

    def lead(asked: Asked) -> Answer:
        if asked.turn == 0:
            return spawns("researcher", "Look")
        told.append(asked.last)
        return done("told")

    async with team(tmp_path, "orchestrator", "subagent") as crew:
        crew.parts |= {"Lead": lead, "Look": lambda _: done("the answer is 42")._replace(wait=held)}
        run = await crew.submits("Lead")
        await eventually(lambda: crew.asked_about("Look"), "the sub-agent works")
        [orchestrator] = crew.fleet.of("orchestrator")
        orchestrator.kill()
        await orchestrator.wait()
        held.set()
        await eventually(lambda: finds_in_journal(crew, f"{run}.{LEAF}.1", Finished), "it has replied")
        for worker in crew.fleet.of("subagent"):
            worker.kill()
            await worker.wait()
        await crew.fleet.start("orchestrator")
        await crew.fleet.start("subagent")
        verdict = await crew.fleet.verdict(run)

    assert (verdict.status, verdict.summary) == ("done", "told")
    assert len(told) == 1
    assert "done: the answer is 42" in told[0]
    assert len(crew.asked_about("Look")) == 1


async def test_an_agent_that_was_killed_goes_on_with_what_has_become_and_not_with_its_old_prompt(tmp_path: Path):
    held = threading.Event()

    def works(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("make_value", {"kind": "name", "name": "who"}))
        return done(f"turn {asked.turn}")._replace(wait=held)

    async with team(tmp_path, "orchestrator", "subagent") as crew:
        crew.parts |= {"Lead": lambda it: done("led") if it.turn else spawns("lead", "Work"), "Work": works}
        run = await crew.submits("Lead")
        await eventually(lambda: len(crew.asked_about("Work")) == 2, "it has acted and asks what is next")
        (tmp_path / "agents" / "lead.yaml").write_text((tmp_path / "agents" / "lead.yaml").read_text() + "# later\n")
        for worker in crew.fleet.of("subagent"):
            worker.kill()
            await worker.wait()
        held.set()
        await crew.fleet.start("subagent")
        verdict = await crew.fleet.verdict(run)
        journal = await crew.fleet.journal(f"{run}.{LEAF}.1")

    assert verdict.status == "done"
    before, after = crew.asked_about("Work")[1:]
    assert after.messages == before.messages, "it is asked what it was asked last, and not what it was asked first"
    assert after.turn == 1
    assert len([entry for entry in journal if isinstance(entry, CallStarted)]) == 1


@needs_sandbox()
async def test_what_one_agent_does_in_its_copy_reaches_no_other_copy_and_not_what_is_served(tmp_path: Path):
    served = repository_of(tmp_path / "shop", FILES)
    before, seen = digest(served), list[str]()
    ways = (
        ("write", {"path": "README.md", "content": "mine\n"}),
        ("execute_command", {"command": f"echo mine > {served}/README.md; echo mine > {served}/new; ls {served}"}),
        ("execute_command", {"command": f"ln -s {served} link && echo mine > link/README.md; git -C {served} status"}),
        ("execute_command", {"command": f"git worktree add {served}/tree; git push {served} HEAD:refs/heads/mine"}),
        ("git_commit", {"message": "Mine"}),
    )

    def digs(asked: Asked) -> Answer:
        return does(ways[asked.turn]) if asked.turn < len(ways) else done("dug")

    def reads(asked: Asked) -> Answer:
        seen.append(asked.last)
        return does(("read", {"path": "README.md"})) if asked.turn == 0 else done("read")

    async with team(tmp_path, "orchestrator", "subagent") as crew:
        await crew.fleet.start("sessions", WORKSPACES=f"shop={served}", SANDBOX="bwrap")
        crew.parts |= {"Dig": digs, "Read": reads}
        dug = await crew.fleet.verdict(await crew.submits("Dig", "executor", workspace="shop"))
        read = await crew.fleet.verdict(await crew.submits("Read", "researcher", workspace="shop"))

    assert (dug.status, read.status) == ("done", "done"), (dug.summary, read.summary)
    assert len(crew.asked_about("Dig")) == len(ways) + 1
    assert "Sells bags." in seen[1]
    assert digest(served) == before
