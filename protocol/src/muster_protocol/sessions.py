"""Sessions: a run's live environments on session hosts."""

from typing import Literal

from msgspec import Struct

REPLY_LIMIT = 700_000
"""Most bytes of output or file content in one reply, below the server's message limit of 1 MB."""


SANDBOX = "sandbox"
"""Capability of a session whose commands are confined to it."""
WORKSPACE = "workspace"
"""Capability of a session that has a copy of a workspace."""
WORKSPACE_DIFF = "workspace.diff"
"""What the name of the artifact ends with that holds what was changed in a session's workspace."""
SHELL = "shell"
"""Capability of a session that runs commands."""
NO_SANDBOX = (
    "commands run without a sandbox: install bubblewrap on the session host, or set SANDBOX=container "
    "where the host itself is confined"
)
"""Warning about a session without a sandbox."""
Author = Literal["case", "model"]
"""Who wrote a command: the case's author, or a model."""

Restored = Literal["no", "same", "different"]
"""Whether a session was opened from a checkpoint, and whether its pages then read the same as before."""


class PathRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Folders and files of a workspace, each with all below it, that a holder may read and write; None: all."""

    read: tuple[str, ...] | None = None
    write: tuple[str, ...] | None = None
    """Within what may be read."""


class SessionRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Identifies a session, without access to it: only the reply to `Attach` grants that."""

    run: str
    name: str = "main"
    kind: str = "web"
    """Of its device."""
    host: str = ""
    capabilities: tuple[str, ...] = ()
    """`shell`, `files`, `sandbox`, `workspace`, and the kind of device if its host offers it."""
    instance: str = ""
    """Id of this opening of the session; if it changes, the earlier session is lost."""


class Holder(Struct, frozen=True, kw_only=True, order=True):
    """The worker that drives a session. Newer holders compare greater: by dispatch, then by delivery."""

    dispatch: int
    """The sub-task's number in the run's order of dispatch."""
    delivery: int
    """How often the queue had delivered the sub-task."""
    worker: str
    """Id of the worker process."""


class OpenDialog(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An open dialog of the device."""

    kind: str
    """`alert`, `confirm`, `prompt` or `beforeunload`."""
    message: str
    default: str = ""
    url: str = ""


class DocumentSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last response that the browser got for the main frame, or that none came."""

    url: str
    status: int
    """0: no page came."""
    at: float
    failure: str = ""
    """Why none came, in the browser's words."""


class ConsoleSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One console message or uncaught error of a page."""

    level: str
    text: str
    url: str = ""
    at: float = 0.0


class NetworkSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finished or failed request of a page."""

    method: str
    url: str
    status: int = 0
    """0: it failed without a response."""
    failure: str = ""
    kind: str = ""
    at: float = 0.0


class DownloadStopped(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A download that the host has cancelled because of a limit."""

    name: str
    """File name given by the page."""
    why: str
    at: float = 0.0


class SessionRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A live session; its key in the bucket SESSIONS is `<run>.<name>`."""

    run: str
    name: str
    host: str
    kind: str = "web"
    capabilities: tuple[str, ...] = ()
    """Empty while it is being opened."""
    opened_at: float = 0.0
    seen_at: float = 0.0
    instance: str = ""
    restored: Restored = "no"
    after: int = 0
    missing: str = ""


PAGE_KEY = "page"
"""Key under which a session keeps the chosen tab; checkpoints include no other kept text."""


NEWEST_TAB = "-1"
"""Means the tab that was opened last, in place of a number; another tab must be open."""


def choice_text(index: int, count: int) -> str:
    """Return the text that records a chosen page: its index among `count` pages, oldest first."""
    return f"{index}/{count}"


def chosen_index(text: str | None, count: int) -> int | None:
    """Return the index of the chosen page; None if none was, or if the number of pages has changed since."""
    index, _, of = (text or "").partition("/")
    if not (index.isdecimal() and of == str(count)):
        return None
    return int(index) if int(index) < count else None
