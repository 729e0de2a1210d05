"""Workspaces: a session's own copy of what its host serves by name."""

from pathlib import Path
from typing import Any

import pytest
from checkouts import FILES, folder_of, git, repository_of
from needed import needs_sandbox
from session_stage import NO_DEVICE, Stage
from waiting import eventually

from muster_bus.artifact_store import get_artifact
from muster_protocol.session_requests import Attach, Checkpoint, Exec, OpenSession, UseWorkspace
from muster_protocol.session_responses import Attached, ExecDone, SessionError, WorkspaceDone
from muster_protocol.sessions import Holder, PathRules
from muster_protocol.tool_calls import ToolCall
from muster_service.settings import SettingsError
from muster_sessionhost.checkpoint import artifact_name

pytestmark = [needs_sandbox()]
HOLDER = Holder(dispatch=1, delivery=1, worker="worker-a")


async def opened(own: Stage, served: Path, paths: PathRules | None = None, **settings: object) -> None:
    """Have a host serve a folder as `shop`, open a session on it, and attach under path rules."""
    await own.start_host(**{"sandbox": "bwrap", "workspaces": f"shop={served}"} | settings)
    await own.open(device=NO_DEVICE, workspace="shop")
    await attached(own, paths or PathRules())


async def attached(own: Stage, paths: PathRules, holder: Holder = HOLDER) -> None:
    reply = await own.of(Attach, holder, paths=paths)
    assert isinstance(reply, Attached), reply


async def call(own: Stage, tool: str, id: str = "", **arguments: Any) -> Any:
    asked = ToolCall(tool=tool, arguments=arguments)
    return await own.of(UseWorkspace, HOLDER, call=id or f"{tool}-{arguments}", asked=asked)


async def text(own: Stage, tool: str, **arguments: Any) -> str:
    reply = await call(own, tool, **arguments)
    assert isinstance(reply, WorkspaceDone), reply
    return reply.text


async def command(own: Stage, line: str, id: str = "", holder: Holder = HOLDER) -> ExecDone:
    reply = await own.of(Exec, holder, call=id or line, command=line)
    assert isinstance(reply, ExecDone), reply
    return reply


async def test_a_session_works_on_a_copy_and_the_served_folder_stays_as_it_is(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop")
    await opened(own, served)

    assert "lines 1 to 3 of 3" in await text(own, "read", path="README.md")
    await text(own, "edit", path="README.md", old="Sells bags.", new="Sells hats.")
    await text(own, "write", path="new/file.txt", content="new\n")

    assert "hats" in await text(own, "read", path="README.md", first=3)
    assert (served / "README.md").read_text() == FILES["README.md"]
    assert git(served, "status", "--porcelain") == ""
    assert (await command(own, "pwd; cat README.md")).stdout.splitlines()[-1] == "Sells hats."


async def test_what_was_changed_is_kept_with_the_run_and_applies_to_the_served_folder(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop")
    await opened(own, served)
    await text(own, "edit", path="README.md", old="bags", new="hats")
    await text(own, "git_commit", message="Hats")
    await command(own, "rm src/shop/pay.js; printf 'a\\0b' > raw.bin; rm -rf .git")

    closed = await own.close()

    (diff,) = [artifact.name for artifact in closed.artifacts if artifact.name.endswith("workspace.diff")]
    patch = await get_artifact(own.bus, diff)
    assert patch is not None
    (tmp_path / "changes.patch").write_bytes(patch)
    git(served, "apply", str(tmp_path / "changes.patch"))
    assert (served / "README.md").read_text() == "# Shop\n\nSells hats.\n"
    assert not (served / "src/shop/pay.js").exists()
    assert (served / "raw.bin").read_bytes() == b"a\0b"


async def test_a_session_that_changed_nothing_leaves_no_diff(own: Stage, tmp_path: Path):
    await opened(own, repository_of(tmp_path / "shop"))
    assert "nothing was changed" in await text(own, "diff")

    assert (await own.close()).artifacts == ()


@pytest.mark.slow
async def test_a_revision_is_served_as_it_was_committed_and_a_folder_as_it_stands(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop", FILES | {".gitignore": ".env\n"})
    first = git(served, "rev-parse", "HEAD")
    folder_of(served, {"README.md": "Changed.\n", "draft.md": "New.\n", ".env": "TOKEN=1\n"})
    (served / "pyproject.toml").unlink()
    await own.start_host(sandbox="bwrap", workspaces=f"now={served},main={served}@main,first={served}@{first}")

    seen: dict[str, str] = {}
    for name in ("now", "main", "first"):
        await own.open(f"run-{name}", device=NO_DEVICE, workspace=name)
        own.run = f"run-{name}"
        await attached(own, PathRules())
        seen[name] = await text(own, "ls") + await text(own, "read", path="README.md")

    assert "draft.md" in seen["now"]
    assert "Changed." in seen["now"]
    assert "pyproject.toml" not in seen["now"]
    assert ".env" not in seen["now"]
    assert seen["main"] == seen["first"]
    assert "Sells bags." in seen["main"]


async def test_a_folder_without_git_is_copied_and_has_its_diff_too(own: Stage, tmp_path: Path):
    served = folder_of(tmp_path / "plain")
    (served / "outside").symlink_to("/etc/hostname")
    await opened(own, served)
    await text(own, "write", path="a.txt", content="a\n")

    assert "+a" in await text(own, "diff")
    assert "First" not in await text(own, "git_log")
    assert not (served / "a.txt").exists()


async def test_a_folder_that_is_too_large_is_refused_and_leaves_nothing(own: Stage, tmp_path: Path):
    served = folder_of(tmp_path / "large", {"a.bin": "x" * 2_000_000})
    await own.start_host(sandbox="bwrap", workspaces=f"shop={served}", workspace_max_mb=1)

    reply = await own.ask(own.bus.names.sessions_open, OpenSession(run=own.run, device=NO_DEVICE, workspace="shop"))

    assert isinstance(reply, SessionError)
    assert (reply.reason, "more than 1 MB (WORKSPACE_MAX_MB)" in reply.text) == ("invalid", True)
    assert not list(own.folder.glob("host-*/*"))


async def test_a_name_that_is_not_served_is_told_with_those_that_are(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop")
    await own.start_host(sandbox="bwrap", workspaces=f"shop={served},shop-main={served}@main")

    for name in ("other", "/etc", "../shop", str(served)):
        request = OpenSession(run=own.run, device=NO_DEVICE, workspace=name)
        reply = await own.ask(own.bus.names.sessions_open, request)
        assert isinstance(reply, SessionError)
        assert reply.reason == "no_workspace"
        assert f"no workspace {name!r}: it serves shop, shop-main (WORKSPACES)" in reply.text


@pytest.mark.slow
async def test_a_session_goes_to_a_host_that_serves_its_workspace(own: Stage, tmp_path: Path):
    await own.start_host(sandbox="bwrap")
    served = await own.start_host(sandbox="bwrap", workspaces=f"shop={repository_of(tmp_path / 'shop')}")

    for number in range(4):
        opened = await own.open(f"run-of-{number}", device=NO_DEVICE, workspace="shop")
        assert opened.session.host == served
        assert "workspace" in opened.session.capabilities


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("shop", "is not NAME=FOLDER"),
        ("a b=/tmp", "is not NAME=FOLDER"),
        ("shop=/does/not/exist", "shop: there is no folder /does/not/exist"),
        ("shop=/tmp,shop=/usr", "'shop' is given twice"),
    ],
)
async def test_a_wrong_setting_stops_the_host_with_what_is_wrong(own: Stage, setting: str, said: str):
    with pytest.raises(SettingsError, match=said):
        await own.start_host(sandbox="bwrap", workspaces=setting)


async def test_a_revision_that_is_not_there_is_told_when_a_session_is_opened(own: Stage, tmp_path: Path):
    await own.start_host(sandbox="bwrap", workspaces=f"shop={repository_of(tmp_path / 'shop')}@gone")
    reply = await own.ask(own.bus.names.sessions_open, OpenSession(run=own.run, device=NO_DEVICE, workspace="shop"))

    assert isinstance(reply, SessionError)
    assert "shop: there is no revision 'gone'" in reply.text


async def test_without_bubblewrap_files_are_read_and_written_and_everything_that_runs_programs_is_refused(
    own: Stage, tmp_path: Path
):
    await opened(own, repository_of(tmp_path / "shop"), sandbox="none")

    await text(own, "write", path="a.txt", content="a\n")
    assert "+a" in await text(own, "diff")
    for tool, arguments in (("git_log", {}), ("run_tests", {}), ("git_commit", {"message": "x"})):
        reply = await call(own, tool, **arguments)
        assert isinstance(reply, SessionError)
        assert "bubblewrap" in reply.text
    for author in ("case", "model"):
        refused = await own.of(Exec, HOLDER, call=author, command="true", author=author, approved=True)
        assert isinstance(refused, SessionError)
        assert refused.reason == "no_sandbox"
        assert "a session with a workspace" in refused.text


@pytest.mark.slow
async def test_a_call_that_is_repeated_is_carried_out_once(own: Stage, tmp_path: Path):
    await opened(own, repository_of(tmp_path / "shop"))
    await text(own, "write", path="n.txt", content="1")
    wanted = {"path": "n.txt", "old": "1", "new": "11"}

    first, again = [await call(own, "edit", id="run.n.1:3", **wanted) for _ in range(2)]

    assert first == again
    assert "11" in await text(own, "read", path="n.txt")


async def test_a_lost_session_is_opened_again_only_if_its_copy_is_the_same(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop")
    process = await own.start_host_process("first", WORKSPACES=f"shop={served}", SESSION_HEARTBEAT_SECONDS="0.5")
    for run in ("same", "other"):
        own.run = f"run-{run}"
        await own.open(device=NO_DEVICE, workspace="shop")
        await attached(own, PathRules())
        await text(own, "read", path="README.md")
        await own.of(Checkpoint, HOLDER)
    own.run = "run-changed"
    await own.open(device=NO_DEVICE, workspace="shop")
    await attached(own, PathRules())
    await text(own, "write", path="a.txt", content="a")
    await own.of(Checkpoint, HOLDER)
    for run in ("same", "other", "changed"):
        name = artifact_name(f"run-{run}", "main")
        await eventually(lambda name=name: get_artifact(own.bus, name), f"{name} is stored")
    process.kill()
    await process.wait()

    await own.start_host(sandbox="bwrap", workspaces=f"shop={served}")
    own.run = "run-same"
    assert (await own.open(device=NO_DEVICE, workspace="shop", checkpoint=True)).restored == "same"
    own.run = "run-changed"
    changed = await own.open(device=NO_DEVICE, workspace="shop", checkpoint=True)
    assert (changed.restored, changed.missing) == ("different", "something had been changed in its workspace")
    (served / "README.md").write_text("Other.\n")
    own.run = "run-other"
    other = await own.open(device=NO_DEVICE, workspace="shop", checkpoint=True)
    assert (other.restored, other.missing) == ("different", "what its workspace is a copy of has changed since")


async def test_commits_reach_the_served_repository_only_as_a_new_branch(own: Stage, tmp_path: Path):
    served = repository_of(tmp_path / "shop")
    main = git(served, "rev-parse", "main")
    await opened(own, served)
    await text(own, "write", path="a.txt", content="a\n")
    early = await call(own, "push")
    await text(own, "git_commit", message="Add a")

    said = await text(own, "push", branch="agents/a")

    assert isinstance(early, SessionError)
    assert "use git_commit first" in early.text
    assert "branch agents/a" in said
    assert git(served, "show", "agents/a:a.txt") == "a"
    assert git(served, "rev-parse", "main") == main
    again = await call(own, "push", id="again", branch="main")
    assert isinstance(again, SessionError)
    assert "never overwritten" in again.text
