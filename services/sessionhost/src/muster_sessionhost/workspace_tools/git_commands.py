"""What git knows of a checkout, and commits in it. All of it runs confined: a repository can name programs to run."""

from collections.abc import Sequence

from muster_sessionhost.workspace_tools.checkout import REPOSITORY, Answer, Checkout, Refused
from muster_sessionhost.workspace_tools.child_runs import Ran, run_program

SECONDS = 60.0
COMMITS = 100
WHO = ("Muster", "muster@localhost")
"""Author of commits; who asked for them is in the run's log."""


def git_status(checkout: Checkout) -> Answer:
    """Return the branch, and which files are changed or new."""
    return Answer(_git(checkout, "status", "--short", "--branch"))


def git_log(checkout: Checkout, count: int = 10, path: str = "") -> Answer:
    """Return the newest commits, one a line: id, day, author, subject.

    Raises:
        Refused: the path may not be read.
    """
    number = max(1, min(count, COMMITS))
    said = _git(
        checkout, "log", f"--max-count={number}", "--date=short", "--format=%h %ad %an: %s", *_of(checkout, path)
    )
    return Answer(said or "no commit has changed this")


def git_diff(checkout: Checkout, revision: str = "", path: str = "") -> Answer:
    """Return what was changed since the last commit, or since a revision, or between two (`a..b`).

    Raises:
        Refused: the path may not be read, or there is no such revision.
    """
    if revision.startswith("-"):
        raise Refused(f"{revision!r} is an option, not a revision")
    said = _git(checkout, "diff", "--no-color", "--no-ext-diff", revision or "HEAD", *_of(checkout, path))
    return Answer(said or "nothing was changed")


def git_commit(checkout: Checkout, message: str) -> Answer:
    """Commit all changes of the workspace.

    Raises:
        Refused: there is no message, nothing was changed, or a hook said no.
    """
    if not message.strip():
        raise Refused("say in a message what the commit is for")
    if checkout.write == ():
        raise Refused("this agent may write nothing in the workspace")
    _git(checkout, "add", "--all")
    if not _git(checkout, "diff", "--cached", "--name-only", "HEAD"):
        raise Refused("nothing was changed: there is nothing to commit")
    said = _git(checkout, "commit", "--quiet", f"--message={message}")
    shown = _git(checkout, "show", "--no-color", "--no-ext-diff", "--stat", "--format=Committed %h: %s", "HEAD")
    return Answer("\n".join(filter(None, (shown, said))))


def git_bundle(checkout: Checkout, base: str, target: str) -> Answer:
    """Write the commits since the checkout was made into a file, for the host to take over; return the newest one's id.

    Raises:
        Refused: nothing was committed.
    """
    newest = _git(checkout, "rev-parse", "HEAD").strip()
    if newest == base:
        raise Refused("nothing was committed since the workspace was opened: use git_commit first")
    if left := _git(checkout, "status", "--porcelain"):
        raise Refused(f"some changes are not committed yet:\n{left}")
    _git(checkout, "bundle", "create", "--quiet", target, f"{base}..HEAD")
    return Answer(newest)


def _of(checkout: Checkout, path: str) -> Sequence[str]:
    return ("--", checkout.name(checkout.readable(path))) if path else ()


def _git(checkout: Checkout, *arguments: str) -> str:
    """Run git and return its output.

    Raises:
        Refused: it failed, or this agent may not see the repository.
    """
    if checkout.read is not None:
        raise Refused("the repository holds all files, and this agent may read only some of them: it has no git tools")
    if not (checkout.top / REPOSITORY).exists():
        raise Refused("this workspace is not a git repository")
    ran = run_program(checkout, ("git", *arguments), SECONDS, _variables())
    if ran.code != 0:
        raise Refused(_failed(arguments[0], ran))
    return ran.output.rstrip()


def _failed(what: str, ran: Ran) -> str:
    if ran.code is None:
        return f"git {what} was stopped after {SECONDS:g} s:\n{ran.output.strip()}"
    return f"git {what} failed (exit code {ran.code}):\n{ran.output.strip()}"


def _variables() -> dict[str, str]:
    name, address = WHO
    return {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "true",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": address,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": address,
    }
