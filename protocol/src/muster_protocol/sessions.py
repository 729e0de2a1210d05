"""Sessions: the live environment of a run, and what is asked of the host that keeps it.

Every request is sent to the host's own subject and answered on the reply inbox. All but `OpenSession` and
`CloseSession` carry the `Holder` they come from; the host refuses any holder older than the newest it has seen.
"""

from typing import Literal

from msgspec import Struct

from muster_protocol.requests import DeviceSpec, RecordWish
from muster_protocol.tool_calls import ArtifactRef, Box

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
    """Read a file of the session's directory."""

    run: str
    name: str
    holder: Holder
    path: str


class FileWrite(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_write"):
    """Write a file of the session's directory; parent folders are made."""

    run: str
    name: str
    holder: Holder
    path: str
    content: bytes


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
    response), `dialog` (an `OpenDialog`: the newest that opened in this sub-task, answered or not), `console` and
    `network` (JSON lists of `ConsoleSeen` and `NetworkSeen`, newest last, the last 500).
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


class ExecDone(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="exec_done"):
    """The command ended, or runs in the background."""

    exit_code: int | None
    """None for a command that was left running in the background or was stopped at its time limit."""
    stdout: str = ""
    stderr: str = ""
    timed_out: bool = False
    truncated: bool = False
    pid: int = 0
    seconds: float = 0.0


class FileContent(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="file_content"):
    """A file's bytes."""

    content: bytes
    size: int
    truncated: bool = False


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
    Opened | Closed | Attached | DeviceReady | ExecDone | FileContent | FileEntries | Recalled | Done | SessionError
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
