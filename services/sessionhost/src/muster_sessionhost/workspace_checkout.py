"""Makes a session's own copy of what its host serves. Nothing of the served folder is linked, bound or written.

A git repository is fetched: the copy has an object store of its own, so that no command in the session can reach the
served one, and no `git gc` there can break the session. Files that git ignores (builds, `.env`) are not copied.
"""

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE
from pathlib import Path
from urllib.parse import quote

from muster_sessionhost.served_workspaces import Served

HISTORY = 200
"""Commits that a checkout has of the served history."""
SECONDS = 300.0
CONFIGURATION = """
[safe]
    directory = *
[uploadpack]
    allowAnySHA1InWant = true
[core]
    hooksPath = /dev/null
    fsmonitor = false
[gc]
    auto = 0
[advice]
    detachedHead = false
[user]
    name = Muster
    email = muster@localhost
"""
"""What git heeds of the served repository and of the copy while this host works on them: no hooks, no programs."""
BRANCH = "muster"
"""The branch of a checkout."""


class CheckoutFailed(Exception):
    """A workspace cannot be made; says why."""


async def check_out(served: Served, target: Path, scratch: Path, limit: int) -> str:
    """Make a copy of what is served at `target`; return the id of the commit that it stands on.

    `scratch` is a folder for files of this function, `limit` the bytes that a copied folder may have.

    Raises:
        CheckoutFailed: there is no such revision, the folder is too large, or git failed.
    """
    git = _Git(scratch)
    commit = await _commit(git, served)
    await git.run(target, "init", "--quiet", f"--initial-branch={BRANCH}")
    if commit:
        await git.run(target, "fetch", "--quiet", "--no-tags", f"--depth={HISTORY}", _address(served.folder), commit)
        await git.run(target, "reset", "--quiet", "--hard", commit)
        if not served.revision:
            await _copy_uncommitted(git, served.folder, target)
        return commit
    await asyncio.to_thread(_copy_folder, served.folder, target, limit)
    await git.run(target, "add", "--all")
    await git.run(target, "commit", "--quiet", "--allow-empty", f"--message=The folder {served.name} as it was served")
    return (await git.run(target, "rev-parse", "HEAD")).strip()


async def take_over(served: Served, bundle: Path, commit: str, branch: str, scratch: Path) -> None:
    """Put commits of a session into the served repository as a new branch; nothing that exists there is changed.

    Raises:
        CheckoutFailed: what is served is no git repository, the branch exists, or the commits cannot be read.
    """
    git = _Git(scratch)
    if not await _is_repository(git, served.folder):
        raise CheckoutFailed(f"{served.name} is a folder without git: apply the run's diff with `muster apply` instead")
    there = await git.run(served.folder, "for-each-ref", f"refs/heads/{branch}")
    if there.strip():
        raise CheckoutFailed(f"the branch {branch} exists already in {served.name}, and is never overwritten")
    refs = f"{commit}:refs/heads/{branch}"
    await git.run(served.folder, "-c", "transfer.fsckObjects=true", "fetch", "--quiet", "--no-tags",
                  "--no-write-fetch-head", str(bundle), refs)  # fmt: skip


async def _commit(git: "_Git", served: Served) -> str:
    """Return the commit that is served; "" for a folder that is no repository."""
    if not await _is_repository(git, served.folder):
        if served.revision:
            raise CheckoutFailed(f"{served.name} names a revision, and its folder is not the top of a git repository")
        return ""
    revision = served.revision or "HEAD"
    try:
        said = await git.run(
            served.folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except CheckoutFailed:
        if not served.revision:
            return ""  # a repository without a commit is a folder
        raise CheckoutFailed(f"{served.name}: there is no revision {revision!r} in its repository") from None
    return said.strip()


async def _is_repository(git: "_Git", folder: Path) -> bool:
    """Return whether a folder is the top of a repository, or a bare one, and not just a part of one."""
    if not (folder / ".git").exists() and not (folder / "HEAD").is_file():
        return False
    try:
        await git.run(folder, "rev-parse", "--git-dir")
    except CheckoutFailed:
        return False
    return True


async def _copy_uncommitted(git: "_Git", source: Path, target: Path) -> None:
    """Bring what was changed in a folder since its last commit into the copy; what git ignores stays out."""
    if not (source / ".git").exists():
        return
    changed = await git.run(source, "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", "HEAD")
    new = await git.run(source, "ls-files", "--others", "--exclude-standard", "-z")
    names = [name for name in (changed + new).split("\0") if name]
    await asyncio.to_thread(_copy_files, source, target, names)


def _copy_files(source: Path, target: Path, names: list[str]) -> None:
    for name in names:
        ours, theirs = target / name, source / name
        if ours.is_symlink() or ours.is_file():
            ours.unlink()
        if theirs.is_symlink() or theirs.is_file():
            ours.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(theirs, ours, follow_symlinks=False)


def _copy_folder(source: Path, target: Path, limit: int) -> None:
    """Copy a folder: links as links, no devices, pipes or repositories.

    Raises:
        CheckoutFailed: it has more bytes than `limit`.
    """
    room = limit
    for folder, folders, names in os.walk(source):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [name for name in folders if name != ".git" and name not in links]
        ours = target / Path(folder).relative_to(source)
        ours.mkdir(exist_ok=True)
        for name in (*names, *links):
            theirs = Path(folder, name)
            if not theirs.is_symlink() and not theirs.is_file():
                continue
            room -= theirs.lstat().st_size
            if room < 0:
                raise CheckoutFailed(f"the folder has more than {limit // 1_000_000} MB (WORKSPACE_MAX_MB)")
            shutil.copy2(theirs, ours / name, follow_symlinks=False)


class _Git:
    """Runs git on the host, with a configuration of its own in place of the user's and the machine's."""

    def __init__(self, scratch: Path) -> None:
        configuration = scratch / "git-configuration"
        configuration.write_text(CONFIGURATION, encoding="utf-8")
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(scratch),
            "LC_ALL": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": str(configuration),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
        }

    async def run(self, folder: Path, *arguments: str) -> str:
        """Return the output of git in a folder.

        Raises:
            CheckoutFailed: it failed, or took longer than `SECONDS`.
        """
        settings = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
        try:
            process = await asyncio.create_subprocess_exec(
                "git", *settings, "-C", str(folder), *arguments, stdout=PIPE, stderr=PIPE, env=self._environment
            )
        except FileNotFoundError:
            raise CheckoutFailed("git is not installed on the session host: it makes the copies") from None
        try:
            said, errors = await asyncio.wait_for(process.communicate(), SECONDS)
        except TimeoutError:
            raise CheckoutFailed(f"git {arguments[0]} took more than {SECONDS:g} s") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise CheckoutFailed(f"git {arguments[0]} failed: {errors.decode(errors='replace').strip()[-500:]}")
        return said.decode("utf-8", "surrogateescape")


def _address(folder: Path) -> str:
    return f"file://{quote(str(folder))}"
