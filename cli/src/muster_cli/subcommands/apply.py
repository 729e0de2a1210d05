"""`muster apply`: bring what a run has changed in its workspace into a folder of one's own."""

import subprocess
import sys
from pathlib import Path

import click

from muster_bus import Bus
from muster_bus.artifact_store import find_diffs, get_artifact
from muster_cli.app import client, perform, report_error, tell
from muster_cli.lookup import require_request
from muster_cli.options import NATS, example
from muster_protocol.errors import InvalidRequest
from muster_protocol.sessions import WORKSPACE_DIFF
from muster_views.outcome import PASSED, PRODUCT_FAILED
from muster_views.texts import strip_controls

UNFIT = PRODUCT_FAILED
"""The exit code for a diff that does not fit."""


@click.command(
    short_help="Bring what a run has changed into a folder of yours.",
    epilog=example(
        "muster apply run-3f9c27d1a0b4e865              into the folder you are in",
        "muster apply run-3f9c27d1a0b4e865 ~/shop       into another one",
        "muster apply run-3f9c27d1a0b4e865 --check      only say whether it fits, and what it changes",
        "muster apply run-3f9c27d1a0b4e865 --print > changes.patch",
    ),
)
@click.argument("run")
@click.argument(
    "folder", default=".", type=click.Path(path_type=Path, exists=True, file_okay=False, writable=True), metavar="[DIR]"
)
@click.option("--check", is_flag=True, help="Change nothing; say whether the diff fits, and which files it changes.")
@click.option("--print", "printed", is_flag=True, help="Change nothing; print the diff.")
@click.option("--session", default="", metavar="NAME", help="The session whose diff to take, if several have one.")
@NATS
def apply(*, run: str, folder: Path, check: bool, printed: bool, session: str, nats: str | None) -> None:
    """Apply the changes that a run made in its workspace to one of your folders, such as your checkout.

    A run that works on a workspace changes a copy; what it changed is kept with the run as a diff. The diff is applied
    as a whole or not at all, to the files and not to the index, so that `git diff` shows it to you.

    Exit codes: 0 it was applied, or fits; 1 it does not fit; 2 bad input; 3 the fleet could not be asked.
    """

    async def work() -> int:
        async with client(nats) as bus:
            patch = await _diff(bus, run, session)
        if printed:
            sys.stdout.buffer.write(patch)
            return PASSED
        return _apply_patch(patch, folder, check=check)

    perform(work)


def session_of(name: str) -> str:
    """Return the session that a diff is of, by the name of its file. Pure."""
    return name.rpartition("/")[2].removesuffix(f"-{WORKSPACE_DIFF}")


async def _diff(bus: Bus, run: str, session: str) -> bytes:
    """Return the diff of a run.

    Raises:
        InvalidRequest: there is no such run, it has no diff, or several.
    """
    await require_request(bus, run)
    found = {session_of(name): name for name in await find_diffs(bus, run)}
    if not found:
        reasons = "it had no workspace, changed nothing in it, or is not over yet"
        raise InvalidRequest([f"run {run} has no diff: {reasons}"])
    names = ", ".join(sorted(found))
    if session and session not in found:
        raise InvalidRequest([f"run {run} has no diff of a session {session!r}; those with one: {names}"])
    if not session and len(found) > 1:
        raise InvalidRequest([f"run {run} has diffs of several sessions: choose one with --session ({names})"])
    data = await get_artifact(bus, found[session] if session else next(iter(found.values())))
    if data is None:
        raise InvalidRequest([f"the diff of run {run} is not stored any more"])
    return data


def _apply_patch(patch: bytes, folder: Path, *, check: bool) -> int:
    """Apply a diff to a folder, or only check that it fits; return the exit code.

    Raises:
        InvalidRequest: the folder is inside of a repository, whose top the diff is of.
    """
    inside = _git(folder, "rev-parse", "--show-prefix").stdout.decode(errors="replace").strip()
    if inside:
        raise InvalidRequest([f"{folder} is {inside} of a repository, and the diff is of its top: name that folder"])
    fits = _git(folder, "apply", "--check", "-", patch=patch)
    if fits.returncode:
        why = strip_controls(fits.stderr.decode(errors="replace").strip())
        text = f"the diff does not fit {folder}, and nothing was changed:\n{why}\n"
        return report_error(
            InvalidRequest([f"{text}Is it the folder that the run worked on, in the same state?"]), UNFIT
        )
    if not check:
        done = _git(folder, "apply", "-", patch=patch)
        if done.returncode:
            return report_error(InvalidRequest([strip_controls(done.stderr.decode(errors="replace").strip())]), UNFIT)
    click.echo(
        strip_controls(_git(folder, "apply", "--stat", "-", patch=patch).stdout.decode(errors="replace")), nl=False
    )
    tell("it fits; nothing was changed" if check else f"applied to {folder}: `git diff` shows it")
    return PASSED


def _git(folder: Path, *arguments: str, patch: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run git in a folder.

    Raises:
        InvalidRequest: it is not installed.
    """
    try:
        return subprocess.run(("git", "-C", str(folder), *arguments), input=patch, capture_output=True, check=False)
    except FileNotFoundError:
        raise InvalidRequest(["git is not installed: it applies the diff (`--print` shows it)"]) from None
