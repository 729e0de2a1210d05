"""Running the tests of a workspace with pytest, node and go, through a real session host."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from checkouts import repository_of
from needed import needs, needs_sandbox
from session_stage import Stage, new_stage
from workspace_agents import Agent, agent_of, visible_pythons

pytestmark = [needs_sandbox()]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    served = repository_of(tmp_path_factory.mktemp("shop"))
    async with new_stage(tmp_path_factory.mktemp("stage")) as stage:
        with visible_pythons() as visible:
            await stage.start_host(sandbox="bwrap", workspaces=f"shop={served}", exec_visible=visible)
            yield stage


@pytest_asyncio.fixture(loop_scope="session")
async def do(stage: Stage) -> AsyncGenerator[Agent]:
    """An agent in a session of its own."""
    async with agent_of(stage) as agent:
        yield agent


@pytest.mark.slow
async def test_tests_are_counted_with_pytest(do: Agent):
    await do.ok(
        "write",
        path="tests/test_more.py",
        content="import pytest\n\n\ndef test_false():\n    assert 1 == 2, 'no'\n\n\n@pytest.mark.skip\ndef test_not(): ...\n",
    )
    outcome = await do("run_tests", timeout_seconds=120)

    assert "1 passed, 1 failed, 0 errors, 1 skipped" in outcome.text
    assert "FAILED tests.test_more.test_false at tests/test_more.py:5" in outcome.text
    assert not outcome.confirmed
    counts = next(data for name, data in do.stored.items() if name.endswith(".json"))
    assert b'"passed": 1, "failed": 1, "errors": 0, "skipped": 1' in counts
    assert "1 passed, 0 failed" in await do.ok("run_tests", target="tests/test_cart.py::test_total")
    assert "there is no 'gone.py'" in await do.refused("run_tests", target="gone.py")
    assert "is an option" in await do.refused("run_tests", target="--co")


@pytest.mark.slow
async def test_what_was_not_counted_is_no_pass(do: Agent):
    await do.ok("write", path="conftest.py", content="import os\nos._exit(0)\n")
    outcome = await do("run_tests")

    assert "told no counts: whether the tests pass is not known" in outcome.text
    assert not outcome.confirmed


@pytest.mark.slow
async def test_tests_that_never_end_are_stopped(do: Agent):
    await do.ok("write", path="tests/test_slow.py", content="def test_slow():\n    while True: pass\n")
    assert "was stopped after 3 s" in await do.ok("run_tests", target="tests/test_slow.py", timeout_seconds=3)


@needs("node")
async def test_tests_are_counted_with_node(do: Agent):
    script = (
        "const test = require('node:test'); const assert = require('node:assert');\n"
        "test('good', () => {}); test('bad', () => assert.strictEqual(1, 2)); test('not', {skip: true}, () => {});\n"
    )
    await do.ok("write", path="js/a.test.js", content=script)
    outcome = await do("run_tests", target="js/a.test.js", runner="node")

    assert "1 passed, 1 failed, 0 errors, 1 skipped" in outcome.text


GO = {
    "go.mod": "module shop\n\ngo 1.18\n",
    "cart.go": "package shop\n\nfunc Total(prices []int) int { return len(prices) }\n",
    "cart_test.go": (
        'package shop\n\nimport "testing"\n\nfunc TestGood(t *testing.T) {}\n'
        'func TestBad(t *testing.T) { t.Errorf("seen %d, expected 3", Total(nil)) }\n'
        'func TestNot(t *testing.T) { t.Skip("later") }\n'
    ),
    "broken/it.go": "package broken\n\nfunc half( {\n",
    "broken/it_test.go": 'package broken\n\nimport "testing"\n\nfunc TestIt(t *testing.T) {}\n',
}


@needs("go")
@pytest.mark.slow
async def test_tests_are_counted_with_go_and_a_package_that_does_not_build_is_an_error(do: Agent):
    for path, content in GO.items():
        await do.ok("write", path=path, content=content)
    outcome = await do("run_tests", timeout_seconds=240)

    assert "go ended with exit code " in outcome.text
    assert "1 passed, 1 failed, 1 errors, 1 skipped" in outcome.text
    assert "FAILED shop.TestBad" in outcome.text
    assert "seen 0, expected 3" in outcome.text
    assert "FAILED shop/broken" in outcome.text
    assert "broken/it.go:3:12" in outcome.text
    assert not outcome.confirmed


@needs("go")
@pytest.mark.slow
async def test_the_tests_of_one_go_package_pass_however_much_they_write(do: Agent):
    many = "".join(f"func TestNumber{number}(t *testing.T) {{}}\n" for number in range(400))
    await do.ok("write", path="go.mod", content=GO["go.mod"])
    await do.ok("write", path="many/many_test.go", content=f'package many\n\nimport "testing"\n\n{many}')
    outcome = await do("run_tests", target="many/...", timeout_seconds=240)

    assert "400 passed, 0 failed, 0 errors, 0 skipped" in outcome.text
    assert outcome.confirmed


async def test_where_a_runner_is_missing_that_is_said(do: Agent, stage: Stage):
    await do.ok("execute_command", command="rm pyproject.toml tests -r")
    assert "name the runner, pytest, node or go" in await do.refused("run_tests")
    assert "there is no runner 'cargo': pytest, node or go" in await do.refused("run_tests", runner="cargo")
