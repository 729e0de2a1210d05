"""Agents at work in a workspace, as people ask for them: by the command, on a fleet of real processes with a sandbox."""

import json
import os
import shutil
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, cast

import pytest
import pytest_asyncio
from assigned import Part, Team, done, in_turn, spawns, team
from checkouts import FILES, digest, repository_of
from command_line import started
from model_server import Answer, Asked, does
from needed import needs_sandbox

from muster_bus.run_store import read_entries
from muster_cli.assignment_jobs import read_assignments
from muster_protocol.events import SubTaskDispatched, SubTaskEnded
from muster_protocol.requests import Assignment

pytestmark = [needs_sandbox(), pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "assignments"
CODER = """\
kind: assign
tools: [workspace, shell]
paths: {write: [src]}
instructions: You make the tests pass.
"""
BOSS = """\
kind: assign
tools: [workspace, shell, agents]
spawns: [tester, coder]
instructions: You have tests written first.
"""
TEST = "from shop.pricing import half\n\n\ndef test_half():\n    assert half(10) == 5\n"
RUNS_TESTS = (
    "execute_command",
    {"command": "PYTHONPATH=src python -m pytest -q -p no:cacheprovider tests/test_pricing.py"},
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crew(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Team]:
    folder = tmp_path_factory.mktemp("fleet")
    served = repository_of(folder / "shop", FILES)
    async with team(folder, "orchestrator") as made:
        folder.joinpath("agents", "coder.yaml").write_text(CODER)
        folder.joinpath("agents", "boss.yaml").write_text(BOSS)
        shutil.copy(EXAMPLES / "agents" / "lead.yaml", folder / "agents" / "lead.yaml")
        await made.fleet.start("subagent")
        await made.fleet.start(
            "sessions",
            WORKSPACES=f"shop={served}",
            SANDBOX="bwrap",
            EXEC_VISIBLE=f"{ROOT}:{sys.prefix}:{sys.base_prefix}",
            PATH=f"{sys.prefix}/bin:{os.environ['PATH']}",
        )
        yield made


async def told_by(crew: Team, folder: Path, *arguments: object, code: int = 0) -> Any:
    """Return what the command prints as JSON."""
    async with started(folder, *arguments, "--json", "--nats", crew.fleet.server.url) as process:
        output, errors = await process.communicate()
    assert process.returncode == code, errors.decode()
    return json.loads(output)


async def test_a_question_is_researched_in_a_workspace_that_stays_as_it_is(crew: Team, tmp_path: Path):
    served = crew.fleet.folder / "shop"
    before = digest(served)
    finding = {"text": "The cart adds up", "file": "src/shop/cart.py", "line": 7, "quote": "def total(self) -> int:"}
    crew.parts["Where is the total computed?"] = in_turn(
        does(("grep", {"pattern": "def total"})),
        does(("read", {"path": "src/shop/cart.py"})),
        done("In the cart.", findings=[finding]),
    )
    told = await told_by(
        crew, tmp_path, "spawn", "researcher", "Where is the total computed?", "--workspace", "shop", "--budget", 12
    )

    assert (told["status"], told["summary"], told["calls"], told["diffs"]) == ("done", "In the cart.", 2, [])
    assert told["findings"] == [finding]
    assert told["context"] > 0
    assert told["seconds"] > 0
    assert digest(served) == before


async def test_what_a_role_may_not_use_is_refused_told_and_listed(crew: Team, tmp_path: Path):
    heard: list[str] = []
    crew.parts["Leave a file"] = in_turn(
        does(("write", {"path": "owned.txt", "content": "x"})),
        does(("execute_command", {"command": "touch owned.txt"})),
        done("I may not"),
        heard=heard,
    )
    told = await told_by(crew, tmp_path, "spawn", "researcher", "Leave a file", "--workspace", "shop")

    assert [text.split("(")[0] for text in told["refusals"]] == ["write", "execute_command"]
    assert "the tool 'write' is not for this agent" in heard[1]
    assert "the tool 'execute_command' is not for this agent" in heard[2]
    assert told["diffs"] == []


async def test_an_agent_that_never_ends_ends_at_its_budget_with_what_it_found(crew: Team, tmp_path: Path):
    crew.parts["Read for ever"] = lambda asked: does(("read", {"path": "README.md", "first": 1 + asked.turn % 3}))
    told = await told_by(
        crew, tmp_path, "spawn", "researcher", "Read for ever", "--workspace", "shop", "--budget", 10, code=3
    )

    assert (told["status"], told["calls"]) == ("failed", 10)


async def test_many_goals_are_worked_on_three_at_a_time_and_come_back_in_order(crew: Team, tmp_path: Path):
    def part(number: int) -> Part:
        def script(_: Asked) -> Answer:
            time.sleep(1)  # the model's own time
            return does(("no_such_tool", {})) if number == 4 else done(f"answer {number}")

        return script

    rows = [{"agent": "researcher", "task": f"Question {number}", "budget": {"turns": 2}} for number in range(1, 7)]
    for number in range(1, 7):
        crew.parts[f"Question {number}"] = part(number)
    (tmp_path / "six.json").write_text(json.dumps(rows))
    told = await told_by(crew, tmp_path, "fan-out", tmp_path / "six.json", "--max-concurrent", 3, code=3)

    assert [one["status"] for one in told] == ["done", "done", "done", "failed", "done", "done"]
    assert [one["summary"] for one in told if one["status"] == "done"] == [f"answer {n}" for n in (1, 2, 3, 5, 6)]
    spans = [await span_of(crew, one["run"]) for one in told]
    assert max(sum(other[0] <= start < other[1] for other in spans) for start, _ in spans) == 3


async def span_of(crew: Team, run: str) -> tuple[float, float]:
    """Return when the agent of a run was given its work, and when that was over."""
    times = [
        entry.at
        for entry in await read_entries(crew.fleet.bus, run)
        if any(isinstance(event, SubTaskDispatched | SubTaskEnded) for event in entry.events)
    ]
    return times[0], times[-1]


async def test_tests_come_first_and_each_writes_only_its_own_folder(crew: Team, tmp_path: Path):
    heard: dict[str, list[str]] = {"tester": [], "coder": []}
    crew.parts["Halve prices"] = in_turn(
        spawns("tester", "Write the test"), spawns("coder", "Make it pass"), spawns("tester", "Run it"), done("halved")
    )
    crew.parts["Write the test"] = in_turn(
        does(("write", {"path": "src/shop/pricing.py", "content": "x"})),
        does(("execute_command", {"command": "echo x > src/shop/pricing.py"})),
        does(("write", {"path": "tests/test_pricing.py", "content": TEST})),
        does(RUNS_TESTS),
        done("it fails"),
        heard=heard["tester"],
    )
    crew.parts["Make it pass"] = in_turn(
        does(("write", {"path": "tests/test_pricing.py", "content": "def test_half(): ..."})),
        does(("execute_command", {"command": "echo > tests/test_pricing.py"})),
        does(("write", {"path": "src/shop/pricing.py", "content": "def half(price):\n    return price // 2\n"})),
        done("made"),
        heard=heard["coder"],
    )
    crew.parts["Run it"] = in_turn(does(RUNS_TESTS), done("1 passes"))
    told = await told_by(
        *(crew, tmp_path, "spawn", "boss", "Halve prices", "--workspace", "shop"),
        *("--accept", "The exit code is 0", "--accept", 'The output contains "1 passed"'),
    )

    assert (told["status"], told["summary"], told["sub_agents"]) == ("done", "halved", 3)
    assert "may not be written" in heard["tester"][1]
    assert "Read-only file system" in heard["tester"][2]
    assert "1 error" in heard["tester"][4]
    assert "may not be written" in heard["coder"][1]
    assert "Read-only file system" in heard["coder"][2]
    [diff] = told["diffs"]
    assert diff == f"{told['run']}/session/main-workspace.diff"
    (tmp_path / "a").mkdir()
    async with started(tmp_path / "a", "apply", told["run"], "--print", "--nats", crew.fleet.server.url) as process:
        patch, _ = await process.communicate()
    assert b"+++ b/src/shop/pricing.py" in patch
    assert b"+++ b/tests/test_pricing.py" in patch


async def test_the_team_of_the_examples_writes_tests_and_then_what_they_test(crew: Team, tmp_path: Path):
    [job] = read_assignments(EXAMPLES / "test-driven.yaml")
    crew.parts[cast("Assignment", job.case.request.job).goal] = in_turn(
        spawns("tester", "Write tests"), spawns("executor", "Build it"), spawns("reviewer", "Review it"), done("built")
    )
    source = "def half(price):\n    return price / 2\n"
    crew.parts["Write tests"] = in_turn(does(("write", {"path": "tests/test_half.py", "content": TEST})), done("one"))
    crew.parts["Build it"] = in_turn(
        does(("write", {"path": "src/shop/pricing.py", "content": source})),
        does(("execute_command", {"command": "wc -l < src/shop/pricing.py"})),
        done("there"),
    )
    crew.parts["Review it"] = in_turn(does(("diff", {})), done("no faults"))
    told = await told_by(crew, tmp_path, "fan-out", EXAMPLES / "test-driven.yaml")

    assert (told["status"], told["summary"], told["refusals"]) == ("done", "built", [])
    assert told["diffs"] == [f"{told['run']}/session/main-workspace.diff"]
    assert "+++ b/src/shop/pricing.py" in crew.asked_about("Review it")[1].last
