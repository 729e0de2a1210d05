"""Somebody with a shell in a workspace who wants to read or write more than the path rules allow, by every way there is."""

import itertools
import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from checkouts import FILES, git, repository_of
from needed import needs_sandbox
from sampling import mostly_slow
from session_stage import NO_DEVICE, Stage, new_stage

from muster_agents import Paths, Permissions
from muster_protocol.session_responses import ExecDone, WorkspaceDone
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_subagent.attachment import Attachment
from muster_subagent.session_client import SessionRefused

pytestmark = [needs_sandbox(), pytest.mark.asyncio(loop_scope="module")]
NUMBERS = itertools.count(1)
SECRET = "the-plans-of-the-shop"
TESTS_ONLY = Permissions(paths=Paths(write=("tests",)))
SOURCE_ONLY = Permissions(paths=Paths(read=("src",), write=()))
PYTHON = os.path.realpath(sys.executable)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = FILES | {"secret/plans.txt": f"{SECRET}\n", "src/shop/half.txt": "half\n"}
    return repository_of(tmp_path_factory.mktemp("shop"), files)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(served: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    async with new_stage(tmp_path_factory.mktemp("stage")) as stage:
        await stage.start_host(sandbox="bwrap", workspaces=f"shop={served}", exec_visible=sys.base_prefix)
        yield stage


class Attacker:
    """Somebody at work in a session under path rules."""

    def __init__(self, session: Attachment, folder: Path) -> None:
        self.session, self.folder = session, folder

    async def run(self, command: str, *, background: bool = False) -> ExecDone:
        call = f"c{next(NUMBERS)}"
        return await self.session.execute(command, call=call, timeout_seconds=20, secrets={}, background=background)

    async def call(self, tool: str, **arguments: ArgumentValue) -> WorkspaceDone:
        asked = ToolCall(tool=tool, arguments=arguments)
        return await self.session.use_workspace(asked, call=f"c{next(NUMBERS)}", timeout_seconds=20)

    async def refused(self, tool: str, **arguments: ArgumentValue) -> str:
        with pytest.raises(SessionRefused) as caught:
            await self.call(tool, **arguments)
        return str(caught.value)

    def text(self, path: str) -> str | None:
        """Return what a file of the workspace holds, as the host sees it."""
        file = self.folder / path
        return file.read_text() if file.is_file() else None


async def session_of(stage: Stage) -> Path:
    """Open a session and return the folder of its workspace."""
    stage.run = f"run-{next(NUMBERS)}"
    await stage.open(device=NO_DEVICE, workspace="shop")
    (folder,) = stage.folder.glob(f"host-*/{stage.run}.main-*/workspace")
    return folder


@pytest_asyncio.fixture(loop_scope="module")
async def tester(stage: Stage) -> AsyncGenerator[Attacker]:
    """May read everything, and write tests alone."""
    folder = await session_of(stage)
    async with stage.attach(permissions=TESTS_ONLY) as session:
        yield Attacker(session, folder)
    await stage.close()


@pytest_asyncio.fixture(loop_scope="module")
async def reader(stage: Stage) -> AsyncGenerator[Attacker]:
    """May read the source alone, and write nothing."""
    folder = await session_of(stage)
    async with stage.attach(permissions=SOURCE_ONLY) as session:
        yield Attacker(session, folder)
    await stage.close()


WRITES = [
    "echo owned > src/shop/cart.py",
    "echo owned >> README.md",
    "echo owned > new.txt",
    "mkdir other && echo owned > other/a.txt",
    "rm -f src/shop/cart.py",
    "mv src/shop/cart.py tests/",
    "ln -sf ../README.md tests/link && echo owned > tests/link",
    "ln -sfn ../src tests/folder && echo owned > tests/folder/shop/cart.py",
    "cp /bin/true README.md",
    "chmod -R 777 . ; echo owned > README.md",
    "ln README.md tests/hard && echo owned > tests/hard",
    "ln -f src/shop/cart.py tests/hard2 && echo owned > tests/hard2",
    f"{PYTHON} -c \"open('src/shop/cart.py','w').write('owned')\"",
    f"{PYTHON} -c \"import os; os.truncate('src/shop/cart.py', 0)\"",
    'perl -e \'open F, ">src/shop/cart.py"; print F "owned"\'',
    "mount -o remount,rw . && echo owned > README.md",
    "mount --bind tests src && echo owned > README.md",
    "umount -l . ; echo owned > README.md",
    "unshare -rm sh -c 'mount -o remount,rw,bind . && echo owned > README.md'",
    "bwrap --bind / / sh -c 'echo owned > README.md'",
    "mv tests gone ; echo owned > gone/a ; echo owned > README.md",
    "rmdir tests; ln -s src tests; echo owned > tests/shop/cart.py",
    "git checkout -q -b other; git rm -q --cached README.md; git checkout -q HEAD -- . ; git clean -fdx; git reset --hard",
    'git config core.worktree "$PWD/src"; git checkout -f HEAD -- . ; git mv README.md src/',
    "git config core.hooksPath tests/hooks; mkdir -p tests/hooks; printf '#!/bin/sh\\necho owned > README.md\\n' > "
    "tests/hooks/pre-commit; chmod +x tests/hooks/pre-commit; touch tests/x; git add tests; git -c user.name=a -c "
    "user.email=a@b commit -qm x",
    "(sleep 0.2; echo owned > README.md) & wait",
    "setsid nohup sh -c 'echo owned > README.md' & sleep 0.3",
    "exec 7<README.md; echo owned > /proc/self/fd/7",
    "cd /proc/self/cwd && echo owned > README.md",
    "echo owned > /proc/1/root$PWD/README.md",
    "tar -C / -cf tests/a.tar etc/hostname; tar -C src -xf tests/a.tar",
]


@pytest.mark.parametrize("command", mostly_slow(WRITES))
async def test_nothing_outside_of_the_paths_is_written(tester: Attacker, command: str):
    before = {path: tester.text(path) for path in FILES if not path.startswith("tests/")}

    await tester.run(command)

    assert {path: tester.text(path) for path in before} == before
    assert not (tester.folder / "new.txt").exists()
    assert not (tester.folder / "other").exists()


async def test_what_may_be_written_is_by_the_same_ways(tester: Attacker):
    await tester.run("echo one > tests/one.txt; mkdir -p tests/deep/er; echo two > tests/deep/er/two.txt")
    await tester.call("write", path="tests/three.txt", content="three")

    assert (tester.text("tests/one.txt"), tester.text("tests/deep/er/two.txt")) == ("one\n", "two\n")
    assert tester.text("tests/three.txt") == "three"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("src/shop/cart.py", "owned"),
        ("tests/../README.md", "owned"),
        ("new.txt", "owned"),
        (".git/hooks/pre-commit", "x"),
    ],
)
async def test_the_tools_keep_to_the_paths_themselves(tester: Attacker, path: str, content: str):
    before = tester.text("README.md"), tester.text("src/shop/cart.py")
    said = await tester.refused("write", path=path, content=content)

    assert "may not be written" in said or "belongs to the repository" in said
    assert (tester.text("README.md"), tester.text("src/shop/cart.py")) == before


async def test_a_link_among_what_may_be_written_leads_no_tool_outside(tester: Attacker):
    await tester.run("ln -s ../README.md tests/link; ln -s /etc tests/etc; ln -s ../src tests/source")

    for path in ("tests/link", "tests/source/shop/cart.py", "tests/etc/hosts"):
        said = await tester.refused("write", path=path, content="owned")
        assert "may not be written" in said or "leads outside" in said
        assert "owned" not in f"{tester.text('README.md')}{tester.text('src/shop/cart.py')}"


async def test_a_hook_of_a_commit_keeps_to_the_paths(tester: Attacker):
    hook = "#!/bin/sh\necho owned > README.md; echo owned > src/shop/cart.py; echo here > tests/hooked\n"
    await tester.run(f"printf {hook!r} > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo x > tests/x")

    await tester.call("git_commit", message="With a hook")

    assert tester.text("tests/hooked") == "here\n"
    assert "owned" not in f"{tester.text('README.md')}{tester.text('src/shop/cart.py')}"


READS = [
    "cat secret/plans.txt",
    "cat ./secret/../secret/plans.txt",
    "cat src/../secret/plans.txt",
    "ls -laR .; find / -name plans.txt -exec cat {} +",
    "git log -p; git show HEAD:secret/plans.txt; git cat-file -p HEAD:secret/plans.txt",
    "cat .git/packed-refs; find . -path '*objects*' -type f -exec cat {} +",
    "ln -s ../secret /tmp/link && cat /tmp/link/plans.txt",
    f"{PYTHON} -c \"print(open('secret/plans.txt').read())\"",
    "cat /proc/1/root$PWD/secret/plans.txt; cat /proc/*/root$PWD/secret/plans.txt",
    "cat $(dirname $PWD)/*/secret/plans.txt; cat $(dirname $PWD)/baseline/objects/*/*",
    "cd .. ; ls -la; cat workspace/secret/plans.txt",
    "umount -l $PWD; cat secret/plans.txt",
    "unshare -rm sh -c 'umount -l src; cat secret/plans.txt'",
]


@pytest.mark.parametrize("command", mostly_slow(READS))
async def test_nothing_outside_of_the_paths_is_read(reader: Attacker, command: str):
    done = await reader.run(f"({command})")  # so that what follows starts where this did

    assert SECRET not in done.stdout + done.stderr
    assert (await reader.run("cat src/shop/half.txt")).stdout == "half\n"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", {"path": "secret/plans.txt"}),
        ("ls", {"path": "secret"}),
        ("grep", {"pattern": "plans"}),
        ("search_files", {"name": "plans"}),
        ("overview", {}),
        ("git_log", {}),
        ("git_diff", {"revision": "HEAD"}),
        ("plan_files", {"goal": "the plans of the shop"}),
        ("write", {"path": "src/new.txt", "content": "x"}),
    ],
)
async def test_no_tool_tells_of_what_may_not_be_read(reader: Attacker, tool: str, arguments: dict[str, ArgumentValue]):
    try:
        said = (await reader.call(tool, **arguments)).text
    except SessionRefused as refused:
        said = str(refused)

    assert SECRET not in said
    assert "secret/plans.txt" not in said.replace("'secret/plans.txt'", "")


async def test_what_a_wider_agent_has_left_running_ends_before_a_narrower_one_begins(stage: Stage):
    folder = await session_of(stage)
    async with stage.attach(dispatch=1) as session:
        wide = Attacker(session, folder)
        await wide.run("export KEPT=kept; cd src")
        loop = "while :; do echo owned > README.md 2>/dev/null; sleep 0.05; done"
        await wide.run(f"setsid sh -c '{loop}' &", background=True)
        await wide.run("until grep -q owned README.md ../README.md 2>/dev/null; do sleep 0.05; done")
    async with stage.attach(dispatch=2, permissions=TESTS_ONLY) as session:
        narrow = Attacker(session, folder)
        (folder / "README.md").write_text("mine\n")
        done = await narrow.run("sleep 0.5; echo $KEPT; pwd; cat README.md")

    assert done.stdout.splitlines() == ["", str(folder), "mine"]
    await stage.close()


async def test_a_rule_that_was_made_a_link_is_refused_and_shows_nothing_outside(stage: Stage):
    folder = await session_of(stage)
    async with stage.attach(dispatch=1) as session:
        await Attacker(session, folder).run("rm -rf tests; ln -s /etc tests")
    with pytest.raises(SessionRefused, match="is or leads through a link"):
        async with stage.attach(dispatch=2, permissions=TESTS_ONLY):
            pass
    await stage.close()


async def test_the_served_repository_cannot_be_reached_at_all(stage: Stage, served: Path):
    folder = await session_of(stage)
    before = git(served, "rev-parse", "HEAD"), git(served, "status", "--porcelain")
    async with stage.attach() as session:
        attacker = Attacker(session, folder)
        done = await attacker.run(
            f"ls {served}; git -C {served} log; git fetch {served}; git push file://{served} HEAD:main; "
            f"git remote -v; cat .git/objects/info/alternates; find .git -links +1 -type f"
        )

    assert (git(served, "rev-parse", "HEAD"), git(served, "status", "--porcelain")) == before
    assert done.stdout.strip() == ""
    await stage.close()


async def test_a_repository_inside_the_workspace_runs_nothing_on_the_host(stage: Stage, tmp_path: Path):
    """Its monitor would run when the host's own git asked what was changed."""
    folder = await session_of(stage)
    mark = tmp_path / "ran"
    async with stage.attach() as session:
        attacker = Attacker(session, folder)
        await attacker.run(
            "git init -q evil && cd evil && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && "
            f"git config core.fsmonitor 'touch {mark} ran-here; false' && touch a"
        )
        await attacker.run(f"cd .. ; git config core.fsmonitor 'touch {mark}'; git config diff.external 'touch {mark}'")
        await attacker.run("printf '* filter=x diff=x\\n' > .gitattributes; git config filter.x.clean 'touch ran-here'")
        first, second = await attacker.call("diff"), await attacker.call("diff")

    assert "left out, as it has a repository of its own: evil" in first.text
    assert first.text == second.text
    assert not mark.exists()
    assert not (folder / "ran-here").exists()
    await stage.close()
