"""Replies and events of session hosts."""

from typing import Literal

from msgspec import Struct

from muster_protocol.sessions import OpenDialog, Restored, SessionRef
from muster_protocol.tool_calls import ArtifactRef, Box


class Opened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="opened"):
    """The session is open."""

    session: SessionRef
    fresh: bool = True
    """Whether this request opened it; false if it was open before."""
    restored: Restored = "no"
    after: int = 0
    """Dispatch number of the sub-task after which its checkpoint was made; 0: no checkpoint."""
    missing: str = ""
    """Why `restored` is `different`."""


class Closed(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="closed"):
    """The session is closed."""

    artifacts: tuple[ArtifactRef, ...] = ()
    """Its artifacts stored so far; the run's log lists the rest."""


class Elsewhere(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="elsewhere"):
    """Another host has the session; ask that one."""

    host: str


class Attached(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="attached"):
    """The sender is now the session's holder."""

    directory: str
    """The session's working directory, as seen by its commands."""
    kind: str = "web"
    """Of its device."""
    endpoint: str = ""
    """Address of the device; empty: `UseDevice` starts it.

    Anyone who knows it can drive the device, so only `Attached` and `DeviceReady` contain it.
    """
    dialogs: tuple[OpenDialog, ...] = ()
    workspace: bool = False
    """Whether the session has a copy of a workspace."""
    surroundings: str = ""
    """The machine as its commands see it, in one line; empty: not known."""


class DeviceReady(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="device_ready"):
    """The device is running."""

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
    """The command has ended, or runs in the background."""

    exit_code: int | None
    """None if the command runs in the background or was stopped at its time limit."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    truncated: bool = False
    """Whether something of an output was left out; a line that begins with `LEFT_OUT` stands there."""
    pid: int = 0
    seconds: float = 0.0
    unreached: tuple[Unreached, ...] = ()
    """What commands of the session did not reach while this one ran; told only where they are kept to domains."""
    lacking: str = ""
    """What the machine had run out of when the command failed, a possible cause of that; empty if of nothing."""


class FileContent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_content"):
    """A file's bytes, from the requested offset."""

    content: bytes
    size: int
    """Of the whole file."""
    truncated: bool = False
    """Whether the file goes on after them."""


class FileEntry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a folder."""

    name: str
    size: int
    folder: bool = False


class FileEntries(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_entries"):
    """A folder's entries, sorted by name."""

    entries: tuple[FileEntry, ...] = ()


class WorkspaceDone(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="workspace_done"):
    """The call was carried out."""

    text: str
    """What it found or did, for people and models."""
    data: str = ""
    """The same as JSON, for programs; empty: none."""
    failed: bool = False
    """Whether what the call ran has failed, such as a suite of tests."""


class PictureWord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A word that was recognised in a picture."""

    text: str
    line: str = ""
    """Words of one line have the same."""
    box: Box
    """In pixels of the picture."""
    confidence: float
    """From 0 to 1."""


class PictureRead(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="picture_read"):
    """The words in the picture, in reading order."""

    words: tuple[PictureWord, ...] = ()


class Recalled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="recalled"):
    """The text kept under the key; None: none."""

    value: str | None = None


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="done"):
    """The request was carried out; `text` adds details, if any."""

    text: str = ""


RefusalReason = Literal[
    "no_device",
    "no_workspace",
    "not_found",
    "invalid",
    "no_dialog",
    "no_sandbox",
    "no_reader",
    "needs_approval",
    "full",
    "busy",
    "fault",
]
"""Try again on `full` and `busy`, on `needs_approval` once that is given, and another host on `no_device` and
`no_workspace`."""


class SessionError(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="error"):
    """The host refused the request."""

    reason: Literal["fenced", "no_session", RefusalReason]
    """Of the first two, the session is lost to whoever asked."""
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
    | WorkspaceDone
    | PictureRead
    | Recalled
    | Done
    | SessionError
)


class DialogOpened(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="dialog_opened"):
    """Event of a session: a page has opened a dialog."""

    dialog: OpenDialog
    host: str = ""
    """Id of the sender: a host may report a session that another host has opened again since. Empty: unknown."""


class CommandOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="command_output"):
    """Event of a session: a running command has written output."""

    call: str
    stream: Literal["stdout", "stderr"]
    text: str
    host: str = ""


class SessionGone(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="session_gone"):
    """Event of a session: the session has ended unexpectedly."""

    reason: str
    host: str = ""


SessionEvent = DialogOpened | CommandOutput | SessionGone
