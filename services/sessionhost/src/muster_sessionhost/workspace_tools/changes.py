"""All changes in a workspace since it was opened, committed or not."""

import os
from collections.abc import Sequence
from pathlib import Path

from muster_sessionhost.workspace_tools.checkout import REPOSITORY, Answer, Checkout, Refused
from muster_sessionhost.workspace_tools.child_runs import run_program

SECONDS = 120.0
SETTINGS = (
    *("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.autocrlf=false", "core.safecrlf=false"),
    *("advice.addEmbeddedRepo=false", "submodule.recurse=false"),
)
SHOWN = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all")


def baseline(checkout: Checkout, repository: str) -> Answer:
    """Note in a repository of the host's own how the workspace is now; return the id of that state.

    Raises:
        Refused: git failed.
    """
    _git(checkout, repository, "add", "--all", "--", ".", *_without(_nested(checkout)))
    return Answer(_git(checkout, repository, "write-tree"))


def diff(checkout: Checkout, repository: str, since: str, target: str, paths: Sequence[str] = ()) -> Answer:
    """Write what was changed since a state into a file, as a patch for `git apply`; return which files that are.

    The workspace's own repository is not asked, so what was done to it changes nothing of the answer. Folders with a
    repository of their own are left out: git would run what that one says.

    Raises:
        Refused: git failed.
    """
    nested = _nested(checkout)
    _git(checkout, repository, "add", "--all", "--", ".", *_without(nested))
    changed = ("diff", "--cached", *SHOWN)
    _git(checkout, repository, *changed, "--binary", "--full-index", f"--output={target}", since, "--", *paths)
    told = _git(checkout, repository, *changed, "--stat=120", since, "--", *paths)
    left = f"left out, as it has a repository of its own: {', '.join(nested)}" if nested else ""
    return Answer("\n".join(filter(None, (told, left))), data="" if told else "unchanged")


def _nested(checkout: Checkout) -> list[str]:
    """Return the folders below the workspace that are repositories themselves."""
    found: list[str] = []
    for folder, folders, names in os.walk(checkout.top):
        if Path(folder) != checkout.top and REPOSITORY in (*folders, *names):
            found.append(checkout.name(Path(folder)))
            folders.clear()
        folders[:] = [name for name in folders if name != REPOSITORY]
    return found


def _without(folders: Sequence[str]) -> tuple[str, ...]:
    return tuple(f":(exclude,literal){folder}" for folder in folders)


def _git(checkout: Checkout, repository: str, *arguments: str) -> str:
    quiet = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }
    settings = tuple(part for setting in SETTINGS for part in ("-c", setting))
    where = (f"--git-dir={repository}", f"--work-tree={checkout.top}")
    # a repository of the host's own names no program to run, so this is done where nothing confines it, too
    ran = run_program(checkout._replace(confined=True), ("git", *settings, *where, *arguments), SECONDS, quiet)
    if ran.code != 0:
        raise Refused(f"git {arguments[0]} failed: {ran.output.strip()[-2000:]}")
    return ran.output.strip()
