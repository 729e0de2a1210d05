"""The tools of a workspace, driven through a real session host: what they say, and what they refuse."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from checkouts import FILES, git, repository_of
from needed import needs_sandbox
from sampling import mostly_slow
from session_stage import Stage, new_stage
from workspace_agents import Agent, agent_of, visible_pythons

from muster_agents import Paths, Permissions
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import CHANGING, ArgumentValue, ToolCall
from muster_subagent import tools
from muster_subagent.tool_context import NeedsPerson
from muster_subagent.tools import TOOLS

pytestmark = [needs_sandbox()]
MORE = {
    "long.txt": "".join(f"line {number}\n" for number in range(1, 1001)),
    "wide.txt": "x" * 5_000 + "\n",
    "twice.txt": "same\nother\nsame\n",
    "broken.py": "def half(:\n",
    "empty.txt": "",
    "shop.go": "package shop\n\nfunc (c *Cart) Total() int {\n\treturn 0\n}\n",
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    served = repository_of(tmp_path_factory.mktemp("shop"), FILES | MORE)
    (served / "raw.bin").write_bytes(b"\x89PNG\0\0" + bytes(100))
    (served / "out").symlink_to("/etc/hostname")
    (served / "up").symlink_to("../../..")
    (served / "inside").symlink_to("README.md")
    (served / "loop").symlink_to("loop")
    (served / "huge.txt").write_text("needle\n" + "y" * 6_000_000)
    git(served, "add", "--all")
    git(served, "commit", "--quiet", "--message=Second")
    async with new_stage(tmp_path_factory.mktemp("stage")) as stage:
        with visible_pythons() as visible:
            await stage.start_host(sandbox="bwrap", workspaces=f"shop={served}", exec_visible=visible)
            yield stage


@pytest_asyncio.fixture(loop_scope="session")
async def do(stage: Stage) -> AsyncGenerator[Agent]:
    """An agent in a session of its own."""
    async with agent_of(stage) as agent:
        yield agent


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(stage: Stage) -> AsyncGenerator[Agent]:
    """The agent of all tests that only read."""
    async with agent_of(stage) as agent:
        yield agent


async def test_lines_are_read_by_number(reader: Agent):
    assert (await reader.ok("read", path="src/shop/cart.py", first=4, last=5)).splitlines()[1:] == [
        "     4  class Cart:",
        '     5      """What a customer buys."""',
        "… go on with first=6",
    ]
    assert (await reader.ok("read", path="long.txt", first=1000)).endswith("  1000  line 1000")
    assert "lines 1 to 400 of 1000" in await reader.ok("read", path="long.txt")
    assert "… (5000 characters)" in await reader.ok("read", path="wide.txt")
    huge = await reader.ok("read", path="huge.txt")
    assert huge.endswith("… (6000000 characters)")
    assert len(huge) < 20_000
    assert await reader.ok("read", path="empty.txt") == "empty.txt is empty."
    assert "# Shop" in await reader.ok("read", path="inside")


UNREADABLE = {
    "READEM.md": "there is no 'READEM.md' in the workspace; like it there: README.md",
    "src": "'src' is a folder: list it with ls",
    "raw.bin": "'raw.bin' is a binary file of 106 bytes",
    "../secret": "'../secret' lies outside the workspace",
    "/etc/passwd": "'/etc/passwd' lies outside the workspace",
    "out": "'out' is a link that leads outside the workspace",
    "up/etc/passwd": "leads outside the workspace",
    ".git/config": "belongs to the repository itself",
    "src/../.GIT/config": "belongs to the repository itself",
    "a\0b": "a path has no NUL characters",
    "loop": "'loop' is a link that leads nowhere",
}


async def test_what_cannot_be_read_is_told_with_why(do: Agent):
    for path, said in UNREADABLE.items():
        assert said in await do.refused("read", path=path)
        if not path.startswith(("READEM", "src", "raw", "loop")) or path.startswith("src/"):
            assert said in await do.refused("edit", path=path, old="a", new="b")
            assert said in await do.refused("write", path=path, content="x")


async def test_a_range_that_is_not_there_is_told(reader: Agent):
    assert "has 3 lines, and no line 9" in await reader.refused("read", path="README.md", first=9)
    assert "comes before the first" in await reader.refused("read", path="README.md", first=3, last=2)


async def test_folders_are_listed_without_the_repository(reader: Agent):
    listed = (await reader.ok("ls")).splitlines()
    assert listed[:2] == ["src/", "tests/"]
    assert "out -> /etc/hostname" in listed
    assert not [line for line in listed if line.startswith(".git")]
    assert "is a file" in await reader.refused("ls", path="README.md")


async def test_files_are_found_by_name_and_by_what_they_hold(reader: Agent):
    assert (await reader.ok("search_files", name="*.PY")).splitlines() == [
        "broken.py",
        "src/shop/cart.py",
        "tests/test_cart.py",
    ]
    assert await reader.ok("search_files", name="cart", path="src") == "src/shop/cart.py"
    assert "no file of" in await reader.ok("search_files", name="nothing-like-it")
    assert "src/shop/cart.py:8: return 0" in await reader.ok("grep", pattern=r"return \d", files="*.py")
    many = await reader.ok("grep", pattern="line", path="long.txt", literal=True)
    assert "long.txt:300: line 300\n… 700 more lines left out: narrow the search" in many
    assert "passed over" in await reader.ok("grep", pattern="needle")
    assert "is not a regular expression" in await reader.refused("grep", pattern="(")
    assert "leads outside" in await reader.refused("grep", pattern="x", path="up")


@pytest.mark.slow
async def test_an_expression_that_takes_for_ever_is_stopped(do: Agent, tmp_path: Path):
    await do.ok("write", path="slow.txt", content="a" * 60 + "b\n")
    assert "takes more than" in await do.refused("grep", pattern="(a+)+$", path="slow.txt")


async def test_definitions_are_found_in_python_by_syntax_and_in_others_by_pattern(reader: Agent):
    assert (await reader.ok("code_search", name="total")).splitlines() == [
        "shop.go:3  func (c *Cart) Total() int",
        "src/shop/cart.py:7  def Cart.total(self)",
        "tests/test_cart.py:1  def test_total()",
    ]
    assert "src/shop/pay.js:1  export function pay(cart)" in await reader.ok("code_search", name="pay")
    assert "broken.py:1" in await reader.ok("code_search", name="half")


async def test_what_the_workspace_is_made_of_is_told(reader: Agent):
    told = await reader.ok("overview")
    assert "Kinds: .py 3" in told or ".py 3" in told
    assert "1 of them look like tests" in told
    assert "Sells bags." in told
    assert "README.md" in told
    coverage = await reader.ok("docs_coverage", path="src")
    assert "2 of 4 public definitions in 1 Python files have a docstring (50 %)" in coverage
    assert "src/shop/cart.py: 2 of 4 lack one: Cart.total, empty" in coverage
    assert (await reader.ok("plan_files", goal="compute the total of the cart")).startswith("src/shop/cart.py  (")
    assert "no Python file" in await reader.refused("docs_coverage", path="README.md")


async def test_a_text_is_replaced_only_where_it_stands_once(do: Agent):
    await do.ok("edit", path="src/shop/cart.py", old="        return 0", new="        return 1")
    assert "return 1" in await do.ok("read", path="src/shop/cart.py")
    assert "2 times, at lines 1, 3" in await do.refused("edit", path="twice.txt", old="same", new="x")
    missed = await do.refused("edit", path="src/shop/cart.py", old="return 1\n  wrong", new="x")
    assert "its first line stands at 8" in missed
    assert "nothing would change" in await do.refused("edit", path="twice.txt", old="other", new="other")
    assert "up to 5000000 can be opened" in await do.refused("edit", path="huge.txt", old="needle", new="x")
    assert "binary" in await do.refused("edit", path="raw.bin", old="a", new="b")
    too_much = await do.refused("write", path="much.txt", content="z" * 900_000)
    assert "write a large file in parts" in too_much


async def test_changes_are_shown_and_committed(do: Agent):
    await do.ok("write", path="docs/new.md", content="New\n")
    assert "?? docs/" in await do.ok("git_status")
    await do.ok("edit", path="README.md", old="bags", new="hats")
    assert "-Sells bags." in await do.ok("git_diff", path="README.md")
    assert "Committed" in await do.ok("git_commit", message="Sell hats")
    assert "Sell hats" in (await do.ok("git_log", count=1))
    assert "nothing was changed" in await do.ok("git_diff")
    assert "+Sells hats." in await do.ok("diff")
    await do.ok("execute_command", command="head -c 20000 /dev/urandom > raw.dat")
    shown = await do.ok("diff")
    assert "raw.dat" in shown
    assert "(binary content)\n" in shown
    assert "literal 20000" not in shown
    await do.ok("execute_command", command="rm raw.dat")
    assert "nothing to commit" in await do.refused("git_commit", message="Again")
    assert "is an option" in await do.refused("git_diff", revision="--output=/tmp/x")
    assert "failed" in await do.refused("git_diff", revision="no-such")


@pytest.mark.slow
async def test_a_push_asks_a_person_first_and_does_nothing_unless_the_answer_is_yes(do: Agent, stage: Stage):
    await do.ok("write", path="a.txt", content="a\n")
    await do.ok("git_commit", message="Add a")
    with pytest.raises(NeedsPerson, match=r"a\.txt"):
        await do("git_push", branch="agents/b")
    call = do.context.call

    for answer, status in (("no", "error"), ("yes", "ok")):
        do.context.call, do.context.answers = call, {call: answer}
        asked = ToolCall(tool="git_push", arguments={"branch": f"agents/{stage.run}"})
        assert (await tools.call(do.context, asked, {})).status == status


@pytest.mark.parametrize("name", mostly_slow([name for name, tool in TOOLS.items() if "checkout" in tool.needs], 9))
async def test_what_a_tool_declares_of_its_effect_is_true(do: Agent, name: str):
    given: dict[str, dict[str, ArgumentValue]] = {
        "read": {"path": "README.md"},
        "search_files": {"name": "cart"},
        "grep": {"pattern": "cart"},
        "code_search": {"name": "Cart"},
        "plan_files": {"goal": "total of the cart"},
        "write": {"path": "README.md", "content": "New"},
        "edit": {"path": "README.md", "old": "bags", "new": "hats"},
        "git_commit": {"message": "All"},
        "run_tests": {"target": "tests/test_cart.py"},
    }
    tool = TOOLS[name]
    assert all(tool.marks[argument] for argument in tool.marks), "an argument says not what it is"
    if name == "git_commit":
        await do.ok("write", path="a.txt", content="a")
    before = await do.ok("diff"), await do.ok("git_status"), await do.ok("git_log")
    if name == "git_push":
        with pytest.raises(NeedsPerson):
            await do(name)
    else:
        await do.ok(name, **given.get(name, {}))
    after = await do.ok("diff"), await do.ok("git_status"), await do.ok("git_log")

    assert (tool.effect in CHANGING) or before == after
    assert before != after or tool.effect == "read" or name in ("git_push", "run_tests")


async def test_an_agent_with_path_rules_is_told_what_it_may_not(stage: Stage):
    """What the tools say; that nothing gets around them is tried in `tests/attacks`."""
    async with agent_of(stage, Permissions(paths=Paths(write=("tests",)))) as do:
        await do.ok("write", path="tests/test_new.py", content="def test_new(): ...\n")
        outcome = await do("write", path="src/new.py", content="x")

        assert outcome.failure == Failure.NOT_PERMITTED
        assert "'src/new.py' may not be written" in outcome.text
        assert "tests" in outcome.text
