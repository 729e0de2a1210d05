"""Requests to session hosts.

Requests go to the host's own subject. All but `OpenSession` and `CloseSession` name the `Holder` that sends them; the
host refuses a holder that is older than the newest it has seen.
"""

from msgspec import Struct

from muster_protocol.requests import DeviceKind, DeviceSpec, RecordWish
from muster_protocol.sessions import Author, Holder, PathRules
from muster_protocol.tool_calls import Box, ToolCall


class OpenSession(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="open"):
    """Open a session on any host; a repeated request finds the open one."""

    run: str
    name: str = "main"
    device: DeviceSpec | None = None
    """Its device, started at once; None: a browser, started when a worker first needs it."""
    domains: tuple[str, ...] = ()
    checkpoint: bool = False
    """Restore the stored checkpoint of a lost session, if there is one."""
    record: RecordWish = ""
    """Which recordings to keep; empty: as set at the host."""
    in_line: bool = False
    """Return the session only if it is open: the run waits in line and must not overtake others."""
    workspace: str = ""
    """Name under which its host serves a folder or a git revision, of which it gets a copy; empty: none. No path."""

    @property
    def kind(self) -> DeviceKind:
        """The kind of device that its host must offer."""
        return self.device.kind if self.device else "none"

    @property
    def phone(self) -> str:
        """The phone that its host must have; empty: any, or none is needed."""
        return self.device.name if self.device else ""


class Opening(Struct, frozen=True, kw_only=True):
    """A run in line for the sessions that it needs at once; one host with room opens all of them."""

    run: str
    sessions: tuple[OpenSession, ...]


class SessionsReady(Struct, frozen=True, kw_only=True):
    """Notice that a host has opened the sessions of a run in line, which should now request them."""

    run: str
    host: str
    names: tuple[str, ...]
    """Of the sessions."""


class CloseSession(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="close"):
    """Close a session and store its artifacts; idempotent."""

    run: str
    name: str = "main"
    quick: bool = False
    """Close within about a second, and store recordings afterwards."""
    passed: bool = False
    """Whether the run is known to have passed, so that recordings kept only on failure are dropped."""


class _HolderRequest(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What all requests of a session's holder name."""

    run: str
    name: str
    holder: Holder


class Attach(_HolderRequest, frozen=True, kw_only=True, tag="attach"):
    """Become the session's holder, and shut out the previous one."""

    secrets: dict[str, str] = {}
    """Secret values by name, kept only in the host's memory, to mask what the session stores."""
    paths: PathRules = PathRules()
    """What the holder may read and write of the session's workspace, by whatever it runs there."""


class UseDevice(_HolderRequest, frozen=True, kw_only=True, tag="use_device"):
    """Start the session's device, unless it is running, and return its endpoint; idempotent."""


class Exec(_HolderRequest, frozen=True, kw_only=True, tag="exec"):
    """Run a shell command; a repeated request with the same call id joins it or returns its result."""

    call: str
    """Id of the call in the sub-task's journal."""
    command: str
    timeout_seconds: float = 60.0
    background: bool = False
    secrets: dict[str, str] = {}
    """Secrets named in the command, set as environment variables of this command only."""
    author: Author = "model"
    """Without a sandbox, a model's command is refused or needs approval."""
    approved: bool = False
    """Whether a person has approved running this command without a sandbox."""


class FileRead(_HolderRequest, frozen=True, kw_only=True, tag="file_read"):
    """Read a file in the session's directory, from an offset, as much as fits into one reply."""

    path: str
    offset: int = 0
    """In bytes."""


class FileWrite(_HolderRequest, frozen=True, kw_only=True, tag="file_write"):
    """Write a file in the session's directory, creating parent folders; a large file is written in pieces."""

    path: str
    content: bytes
    offset: int = 0
    """Byte at which the content goes, after which the file ends; 0 creates or replaces the file."""


class FileList(_HolderRequest, frozen=True, kw_only=True, tag="file_list"):
    """List a folder in the session's directory."""

    path: str = "."


class UseWorkspace(_HolderRequest, frozen=True, kw_only=True, tag="use_workspace"):
    """Carry out a call in the session's workspace; a repeated request with the same call id returns its result."""

    call: str
    """Id of the call in the sub-task's journal."""
    asked: ToolCall
    timeout_seconds: float = 60.0


class AnswerDialog(_HolderRequest, frozen=True, kw_only=True, tag="answer_dialog"):
    """Accept or dismiss the open dialog; repeated requests with the same call id answer it once."""

    call: str
    accept: bool
    text: str = ""


class ReadPicture(_HolderRequest, frozen=True, kw_only=True, tag="read_picture"):
    """Recognise the words in a picture (PNG)."""

    picture: bytes


class Checkpoint(_HolderRequest, frozen=True, kw_only=True, tag="checkpoint"):
    """Store URL, cookies, local and session storage, so that a lost session can be restored."""

    element: Box | None = None
    """Position of the element that the holder touched last, for the picture of the page."""


class Keep(_HolderRequest, frozen=True, kw_only=True, tag="keep"):
    """Keep a small text with the session for later sub-tasks, such as the last HTTP response as JSON."""

    key: str
    value: str


class Recall(_HolderRequest, frozen=True, kw_only=True, tag="recall"):
    """Return a kept text, or what the host itself has seen.

    Keys that the host fills: `exec` (the last command's `ExecDone`), `document` (`DocumentSeen` of the last main-frame
    response), `dialog` (`OpenDialog` of the newest dialog in this sub-task, answered or not), and JSON lists, newest
    last: `console` (the last 500 `ConsoleSeen`), `network` (500 `NetworkSeen`), `downloads` (100 `DownloadStopped`).
    """

    key: str


SessionRequest = (
    OpenSession
    | CloseSession
    | Attach
    | UseDevice
    | Exec
    | FileRead
    | FileWrite
    | FileList
    | UseWorkspace
    | AnswerDialog
    | ReadPicture
    | Checkpoint
    | Keep
    | Recall
)
