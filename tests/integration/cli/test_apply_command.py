"""`muster apply`: what a run has changed comes into a folder as a whole or not at all."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from checkouts import FILES, folder_of, git, repository_of

from muster_bus import Bus
from muster_bus.artifact_store import put_artifact
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import store_request
from muster_protocol.requests import Drill, RunRequest

Muster = Callable[..., Awaitable[Any]]


async def run_with_diff(bus: Bus, folder: Path, run: str, *sessions: str) -> None:
    """Store a run, and the diff of its sessions: the README sells hats, and a file is new."""
    await store_request(bus, RunRequest(job=Drill(), id=run))
    changed = repository_of(folder / run)
    folder_of(changed, {"README.md": "# Shop\n\nSells hats.\n", "new.txt": "New\n"})
    git(changed, "add", "--all")
    patch = git(changed, "diff", "--cached", "--binary") + "\n"
    for session in sessions:
        await put_artifact(bus, f"{run}/session/{session}-workspace.diff", patch.encode(), "text/x-diff")


async def test_a_diff_is_applied_where_it_fits_and_changes_nothing_where_it_does_not(
    muster: Muster, server: NatsServer, bus: Bus, tmp_path: Path
):
    await run_with_diff(bus, tmp_path, "run-apply", "main")
    mine = repository_of(tmp_path / "mine")
    nats = ("--nats", server.url)

    checked = await muster("apply", "run-apply", mine, "--check", *nats)
    assert (checked.code, "new.txt" in checked.out, git(mine, "status", "--porcelain")) == (0, True, "")
    printed = await muster("apply", "run-apply", "--print", *nats)
    assert "+Sells hats." in printed.out
    applied = await muster("apply", "run-apply", mine, *nats)
    assert (applied.code, (mine / "README.md").read_text()) == (0, "# Shop\n\nSells hats.\n")
    assert git(mine, "status", "--porcelain") == "M README.md\n?? new.txt"

    again = await muster("apply", "run-apply", mine, *nats)
    assert again.code == 1
    assert "does not fit" in again.err
    assert "new.txt: already exists in working directory" in again.err
    inside = await muster("apply", "run-apply", mine / "src", *nats)
    assert (inside.code, "is src/ of a repository" in inside.err) == (2, True)

    other = folder_of(tmp_path / "other", FILES | {"README.md": "Something else.\n"})
    assert (await muster("apply", "run-apply", other, *nats)).code == 1
    assert not (other / "new.txt").exists()


async def test_what_has_no_diff_or_several_is_told(muster: Muster, server: NatsServer, bus: Bus, tmp_path: Path):
    await run_with_diff(bus, tmp_path, "run-none")
    await run_with_diff(bus, tmp_path, "run-two", "buyer", "seller")
    nats = ("--nats", server.url)

    for arguments, said in (
        (("run-gone",), "there is no run 'run-gone'"),
        (("run-none",), "run run-none has no diff: it had no workspace, changed nothing in it, or is not over yet"),
        (("run-two",), "choose one with --session (buyer, seller)"),
        (("run-two", "--session", "main"), "has no diff of a session 'main'; those with one: buyer, seller"),
    ):
        ended = await muster("apply", *arguments, *nats)
        assert (ended.code, said in ended.err) == (2, True), ended.err
