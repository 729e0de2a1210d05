"""Sessions: the live environment of a run, kept by a session host."""

from typing import Literal

from msgspec import Struct

REPLY_LIMIT = 700_000
"""Bytes of output or file content one reply may carry, below the server's 1 MB message limit."""


SANDBOX = "sandbox"
"""The capability of a session whose commands cannot reach beyond it; a session that does not claim it has none."""
NO_SANDBOX = (
    "commands run without a sandbox: install bubblewrap on the session host, or set SANDBOX=container "
    "where the host itself is confined"
)
"""What people are told of a session without one, and how to mend it."""
Author = Literal["case", "model"]
"""Who chose a command: it is written in the case, or a model made it up."""

Restored = Literal["no", "same", "different"]
"""Whether a session was opened from a checkpoint, and whether its pages read as they did when that was made."""


class SessionRef(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Names a session; never says how to get into it (that is in the reply to `Attach` alone)."""

    run: str
    name: str = "main"
    kind: str = "web"
    """Of its device."""
    host: str = ""
    capabilities: tuple[str, ...] = ()
    """`shell`, `files`, the kind of device if its host can keep one, `sandbox`."""
    instance: str = ""
    """Which opening of the session this is; where it is another one than before, the one before is lost."""


class Holder(Struct, frozen=True, kw_only=True, order=True):
    """Who drives a session. Newer holders compare greater: by dispatch within the run, then by delivery."""

    dispatch: int
    """The sub-task's place in the run's order of dispatch."""
    delivery: int
    """How often the queue had handed out the sub-task."""
    worker: str
    """The worker process; keeps its connection while it stays the holder."""


class OpenDialog(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dialog of the device that waits for an answer."""

    kind: str
    """`alert`, `confirm`, `prompt` or `beforeunload`."""
    message: str
    default: str = ""
    url: str = ""


class DocumentSeen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The last main-frame document the browser was given."""

    url: str
    status: int
    at: float


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
    """0: it failed before an answer came."""
    failure: str = ""
    kind: str = ""
    at: float = 0.0


class DownloadStopped(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A download that the host has cancelled, for a limit of its own."""

    name: str
    """What the page called the file."""
    why: str
    at: float = 0.0


class SessionRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A live session as the SESSIONS bucket lists it, under `<run>.<name>`."""

    run: str
    name: str
    host: str
    kind: str = "web"
    capabilities: tuple[str, ...] = ()
    """None while it is just being opened."""
    opened_at: float = 0.0
    seen_at: float = 0.0
    instance: str = ""
    restored: Restored = "no"
    after: int = 0
    missing: str = ""


PAGE_KEY = "page"
"""Under which the tab chosen is kept with a session; the one kept text that a checkpoint has."""


def choice_text(index: int, count: int) -> str:
    """Return how a chosen page is kept with the session: which of how many it was, oldest first."""
    return f"{index}/{count}"


def chosen_index(text: str | None, count: int) -> int | None:
    """Return which page was chosen; None if none was, or if pages came or went while nobody was attached."""
    index, _, of = (text or "").partition("/")
    if not (index.isdecimal() and of == str(count)):
        return None
    return int(index) if int(index) < count else None
