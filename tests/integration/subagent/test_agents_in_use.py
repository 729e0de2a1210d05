"""A worker does what agent files say: what its model is told, which one is asked, what it may spend and use."""

from pathlib import Path
from typing import Any

import pytest
from envelopes import a_task
from fleet import Fleet, eventually, fleet
from model_server import Answer, Asked, ModelServer, gives, model_server

from muster_bus import Rows, newest
from muster_protocol import codec
from muster_protocol.journal import Finished
from muster_protocol.kinds import EvaluateOutput
from muster_protocol.logs import WorkerRow
from muster_protocol.tasks import SubTask, SubTaskResult

TASK = a_task("run-1.step-1-e1.1", kind="evaluate", description="Evaluate the failed step", action="Click it")
BUILT_IN = "id: evaluator\nkind: evaluate\ntier: orchestrator\ninstructions: Decide.\n"


def obedient(asked: Asked) -> Answer:
    """Decide as the instructions say."""
    action = "recover" if "always recover" in str(asked.messages[0]["content"]) else "stop"
    return gives({"action": action, "reason": "so", "cause": "agent", "recovery": "Wait", "recovery_expected": ""})


async def result(group: Fleet, task: SubTask) -> SubTaskResult:
    """Queue a sub-task, wait for its end, and return what came of it."""
    names = group.bus.names
    await group.bus.store(names.tasks(task.pool, task.priority), codec.encode(task), {"Nats-Msg-Id": task.id})

    async def look() -> SubTaskResult | None:
        ends = [entry for entry in await group.journal(task.id) if isinstance(entry, Finished)]
        return ends[0].outcome if ends else None

    return await eventually(look, f"{task.id} has ended")


async def evaluated(folder: Path, file: str, model: ModelServer, task: SubTask = TASK) -> SubTaskResult:
    """Return what came of an evaluation by a worker whose agents are those of a file."""
    agents = folder / "agents"
    agents.mkdir()
    (agents / "evaluator.yaml").write_text(file)
    settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "AGENTS_DIR": str(agents)}
    async with fleet(folder, SUB_AGENT_MODEL="small", ORCHESTRATOR_MODEL="large", **settings) as group:
        await group.start("subagent")
        return await result(group, task)


def decision(found: SubTaskResult) -> str:
    assert isinstance(found.output, EvaluateOutput), found
    return found.output.decision.action


@pytest.mark.parametrize(
    ("file", "action", "sent"),
    [
        (BUILT_IN.replace("Decide.", "You always recover."), "recover", {"model": "large"}),
        (
            BUILT_IN.replace("orchestrator", "sub_agent") + "temperature: 0.9\n",
            "stop",
            {"model": "small", "temperature": 0.9},
        ),
        pytest.param(BUILT_IN, "stop", {"model": "large", "temperature": 0.1}, marks=pytest.mark.slow),
    ],
)
async def test_what_a_file_says_is_what_happens(tmp_path: Path, file: str, action: str, sent: dict[str, Any]):
    with model_server(obedient) as model:
        found = await evaluated(tmp_path, file, model)

    assert decision(found) == action
    assert {name: model.asked[0].body[name] for name in sent} == sent


async def test_an_agent_spends_no_more_than_its_file_says(tmp_path: Path):
    with model_server(lambda _: gives("no such object")) as model:
        found = await evaluated(tmp_path, BUILT_IN + "budget: {iterations: 1}\n", model)

    assert (decision(found), len(model.asked)) == ("stop", 1)
    assert "1 turns of the model are used up" in found.summary


async def test_a_sub_task_for_an_agent_that_is_not_there_is_put_aside(tmp_path: Path):
    with model_server(obedient) as model:
        async with fleet(tmp_path, OPENAI_BASE_URL=model.url, SUB_AGENT_MODEL="small") as group:
            await group.start("subagent")
            found = await result(group, a_task("run-1.step-1-e1.1", kind="evaluate", agent="nobody"))
            assert await newest(group.bus, "DEAD", "muster.dead.>") is not None

    assert (found.status, found.failure) == ("fail", "poison")
    assert "there is no agent 'nobody'" in found.summary


async def test_a_file_of_more_that_cannot_be_used_is_a_warning_and_the_rest_works(tmp_path: Path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "mine.yaml").write_text("kind: evalute\ninstructions: Decide.\n")
    with model_server(obedient) as model:
        settings = {"OPENAI_BASE_URL": model.url, "SUB_AGENT_MODEL": "small", "AGENTS_DIR": str(tmp_path / "agents")}
        async with fleet(tmp_path, **settings) as group:
            await group.start("subagent")
            found = await result(group, TASK)
            [row] = [row for row in await Rows(group.bus, "WORKERS", WorkerRow).all() if row.service == "subagent"]

    assert decision(found) == "stop"
    assert "mine.yaml:1: unknown kind 'evalute'; did you mean 'evaluate'?" in row.warnings[0]


async def test_a_kind_whose_own_agent_cannot_be_used_keeps_the_worker_from_starting(tmp_path: Path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "evaluator.yaml").write_text(BUILT_IN.replace("kind: evaluate", "kind: evalute"))
    async with fleet(tmp_path, AGENTS_DIR=str(tmp_path / "agents")) as group:
        with pytest.raises(AssertionError, match=r"evaluator.yaml:2: unknown kind 'evalute'; did you mean 'evaluate'"):
            await group.start("subagent")
