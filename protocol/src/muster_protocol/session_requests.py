"""Requests to session hosts.

Every request is sent to the host's own subject and answered on the reply inbox. All but `OpenSession` and
`CloseSession` carry the `Holder` they come from; the host refuses any holder older than the newest it has seen.
"""

from msgspec import Struct

from muster_protocol.requests import DeviceKind, DeviceSpec, RecordWish
from muster_protocol.sessions import Author, Holder
from muster_protocol.tool_calls import Box


class OpenSession(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="open"):
    """Open a session on any host; asking again finds the one that is there."""

    run: str
    name: str = "main"
    device: DeviceSpec | None = None
    """What it holds, from the beginning on; None: a browser, started once a worker asks for it."""
    domains: tuple[str, ...] = ()
    checkpoint: bool = False
    """Start from the stored checkpoint of a session that was lost, if there is one."""
    record: RecordWish = ""
    """What to keep of it when it ends; empty: as the host is set."""
    in_line: bool = False
    """The run waits in line: tell of the session if it is there, and open none past those who wait."""

    @property
    def kind(self) -> DeviceKind:
        """The kind of device that its host has to have from the beginning."""
        return self.device.kind if self.device else "none"


class Opening(Struct, frozen=True, kw_only=True):
    """A run that waits in line for the sessions it needs at the same time; a host with room for them opens all."""

    run: str
    sessions: tuple[OpenSession, ...]


class SessionsReady(Struct, frozen=True, kw_only=True):
    """A host has served a run in line: the run is to ask for its sessions."""

    run: str
    host: str
    names: tuple[str, ...]
    """Of the sessions."""


class CloseSession(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="close"):
    """Close the session and store its artefacts; closing a closed one is answered the same."""

    run: str
    name: str = "main"
    quick: bool = False
    """End everything within a second or so; what was recorded by then is stored afterwards."""
    passed: bool = False
    """The run has passed, so that what is recorded for failures alone need not be stored; false also where unsure."""


class Attach(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="attach"):
    """Become the session's holder and shut out whoever was."""

    run: str
    name: str
    holder: Holder
    secrets: dict[str, str] = {}
    """Values by name, kept in the host's memory only, to mask what the session stores."""


class UseDevice(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="use_device"):
    """Start the session's device unless it is there already, and get the way in; asked again, it is the same."""

    run: str
    name: str
    holder: Holder


class Exec(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="exec"):
    """Run a shell command; asked again with the same call id, join it or get its result."""

    run: str
    name: str
    holder: Holder
    call: str
    """Id of the call in the sub-task's journal."""
    command: str
    timeout_seconds: float = 60.0
    background: bool = False
    secrets: dict[str, str] = {}
    """Secrets named in the command, set as environment variables for this command alone."""
    author: Author = "model"
    """Where there is no sandbox, a model's command is refused or needs approval. Unsaid counts as a model's."""
    approved: bool = False
    """A person has allowed this command to run without a sandbox."""


class FileRead(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_read"):
    """Read a file of the session's directory: from an offset on, as much as one reply carries."""

    run: str
    name: str
    holder: Holder
    path: str
    offset: int = 0
    """Bytes of the file that come before."""


class FileWrite(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_write"):
    """Write a file of the session's directory; parent folders are made. A large one is written in pieces."""

    run: str
    name: str
    holder: Holder
    path: str
    content: bytes
    offset: int = 0
    """Where the content goes; the file ends after it. 0: the file is made, or made anew."""


class FileList(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_list"):
    """List a folder of the session's directory."""

    run: str
    name: str
    holder: Holder
    path: str = "."


class AnswerDialog(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="answer_dialog"):
    """Accept or dismiss the dialog that is open; with the same call id it is answered once."""

    run: str
    name: str
    holder: Holder
    call: str
    accept: bool
    text: str = ""


class Checkpoint(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="checkpoint"):
    """Store URL, cookies, local and session storage, so that a lost session can be opened anew."""

    run: str
    name: str
    holder: Holder
    element: Box | None = None
    """Where the element is that the holder touched last, for the picture of the page."""


class Keep(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="keep"):
    """Keep a small text with the session, for later sub-tasks (e.g. the last HTTP response as JSON)."""

    run: str
    name: str
    holder: Holder
    key: str
    value: str


class Recall(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="recall"):
    """Ask for what was kept, or for what the host itself has seen.

    Keys the host fills: `exec` (the last command's `ExecDone`), `document` (a `DocumentSeen`: the last main-frame
    response), `dialog` (an `OpenDialog`: the newest that opened in this sub-task, answered or not), `console`,
    `network` and `downloads` (JSON lists of `ConsoleSeen`, `NetworkSeen` and `DownloadStopped`, newest last, the last
    500, of downloads 100).
    """

    run: str
    name: str
    holder: Holder
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
    | AnswerDialog
    | Checkpoint
    | Keep
    | Recall
)
