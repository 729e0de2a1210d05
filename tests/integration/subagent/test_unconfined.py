"""A model's commands where no sandbox works: refused, or run once a person has approved them."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from fleet import Fleet, fleet
from model_server import Answer, Asked, does, model_server
from played_owner import Owner

from muster_protocol.sessions import NO_SANDBOX

COMMAND = "touch acted"
ACTION = "In the terminal, make the file that says that you were here"


@asynccontextmanager
async def without_sandbox(folder: Path, policy: str, script: Callable[[Asked], Answer]) -> AsyncGenerator[Owner]:
    """Run a fleet whose host has no sandbox, and a model behind it."""
    with model_server(script) as model:
        settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "small"}
        async with fleet(folder, **settings) as group:
            await group.start("sessions", SANDBOX="none", UNSANDBOXED_MODEL_COMMANDS=policy)
            await group.start("subagent")
            yield Owner(group)


async def warnings(group: Fleet) -> list[tuple[str, ...]]:
    return [row.warnings for row in await group.rows() if row.service == "sessions"]


async def test_it_is_refused_and_the_model_is_told_why_and_the_case_can_still_run_its_own(tmp_path: Path):
    def script(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("execute_command", {"command": COMMAND}))
        if asked.turn == 1:
            assert "bubblewrap" in asked.last
            return does(("execute_command", {"command": "echo mine"}))  # quoted by the step
        assert "Exit code 0" in asked.last
        return does(("finish", {"status": "fail", "summary": "no command may be run"}))

    async with without_sandbox(tmp_path, "refuse", script) as owner:
        assert await warnings(owner.group) == [(NO_SANDBOX,)]
        await owner.begins(f'{ACTION}, then "echo mine"')
        result = await owner.result()
        lines = "\n".join(await owner.lines())
        assert result.status == "fail"
        assert not result.step.acts or all(
            COMMAND not in act.arguments or not act.confirmed for act in result.step.acts
        )
        assert "a model chose this command" in lines


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["Yes", "no"])
async def test_a_person_decides(tmp_path: Path, answer: str):
    def script(asked: Asked) -> Answer:
        if asked.turn == 0:
            return does(("execute_command", {"command": COMMAND}))
        assert ("did not allow" in asked.last) == (answer == "no")
        return does(("finish", {"status": "fail", "summary": "done"}))

    async with without_sandbox(tmp_path, "ask", script) as owner:
        await owner.begins(ACTION)
        asks = await owner.asked()
        assert COMMAND in asks.text
        assert "without a sandbox" in asks.text
        await owner.answers(asks, answer)
        result = await owner.result()
        assert [act.confirmed for act in result.step.acts] == [answer == "Yes"], await owner.lines()
