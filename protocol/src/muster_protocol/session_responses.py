"""Answers of session hosts, and their events of a session."""

from typing import Literal

from msgspec import Struct

from muster_protocol.sessions import OpenDialog, Restored, SessionRef
from muster_protocol.tool_calls import ArtifactRef


class Opened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="opened"):
    """The session is there."""

    session: SessionRef
    fresh: bool = True
    """False when it was open before."""
    restored: Restored = "no"
    after: int = 0
    """Dispatch number of the sub-task after which its checkpoint was made; 0: there was none."""
    missing: str = ""
    """Where it is `different`: why."""


class Closed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="closed"):
    """The session is gone."""

    artifacts: tuple[ArtifactRef, ...] = ()
    """What it left behind, as far as that is stored by now; the run's log tells of the rest."""


class Elsewhere(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="elsewhere"):
    """Another host has the session: ask that one."""

    host: str


class Attached(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="attached"):
    """The asker is the holder now."""

    directory: str
    """The session's working directory, as its commands see it."""
    kind: str = "web"
    """Of its device."""
    endpoint: str = ""
    """Address of the device; whoever knows it can drive it, so it is in this reply and the next only.

    Empty: `UseDevice` starts it.
    """
    dialogs: tuple[OpenDialog, ...] = ()


class DeviceReady(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="device_ready"):
    """The device is there."""

    endpoint: str
    """As in `Attached`."""


class Unreached(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a command wanted to reach over the network, and did not."""

    why: str
    closed: bool = False
    """The case's domains are the reason."""


LEFT_OUT = "\n… "
"""What begins the line that stands in an output where something was left out."""


class ExecDone(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="exec_done"):
    """The command ended, or runs in the background."""

    exit_code: int | None
    """None for a command that was left running in the background or was stopped at its time limit."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    truncated: bool = False
    """Whether something of an output was left out; a line that begins with `LEFT_OUT` stands there."""
    pid: int = 0
    seconds: float = 0.0
    unreached: tuple[Unreached, ...] = ()
    """What commands of the session did not reach while this one ran; told only where they are kept to domains."""


class FileContent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_content"):
    """A file's bytes, from the offset that was asked for on."""

    content: bytes
    size: int
    """Of the whole file."""
    truncated: bool = False
    """There is more after them."""


class FileEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a folder."""

    name: str
    size: int
    folder: bool = False


class FileEntries(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_entries"):
    """A folder's entries, by name."""

    entries: tuple[FileEntry, ...] = ()


class Recalled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="recalled"):
    """What was kept under the key; None: nothing."""

    value: str | None = None


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="done"):
    """It was done; `text` says what, where that is not plain."""

    text: str = ""


class SessionError(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="error"):
    """The host said no."""

    reason: Literal[
        "fenced",
        "no_session",
        "no_device",
        "not_found",
        "invalid",
        "no_dialog",
        "no_sandbox",
        "needs_approval",
        "full",
        "busy",
        "fault",
    ]
    """`full`, `busy`: it may be asked again; `no_device`: perhaps of another host; `needs_approval`: once approved."""
    text: str


SessionReply = (
    Opened
    | Closed
    | Elsewhere
    | Attached
    | DeviceReady
    | ExecDone
    | FileContent
    | FileEntries
    | Recalled
    | Done
    | SessionError
)


class DialogOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="dialog_opened"):
    """Told on the session's event subject when a page opens a dialog."""

    dialog: OpenDialog
    host: str = ""
    """Who tells it: one host may still tell of its end when another has opened the session anew. Empty: not said."""


class CommandOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="command_output"):
    """Told on the session's event subject while a command runs."""

    call: str
    stream: Literal["stdout", "stderr"]
    text: str
    host: str = ""


class SessionGone(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_gone"):
    """Told on the session's event subject when the session ended on its own."""

    reason: str
    host: str = ""


SessionEvent = DialogOpened | CommandOutput | SessionGone
