"""What a tool gets besides its arguments: the session it works in, and what it may know."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import httpx
from msgspec import Struct

from muster_agents import EVERYTHING, Permissions
from muster_api import FleetApi
from muster_devices.device import Device
from muster_devices.screen import Place
from muster_protocol.assignments import Temperature, TierName
from muster_protocol.detector_work import Located
from muster_protocol.journal import Child, Children
from muster_protocol.session_responses import ExecDone, FileContent, FileEntry, PictureRead, WorkspaceDone
from muster_protocol.sessions import REPLY_LIMIT, Author
from muster_protocol.tasks import ChildEnd, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef, Box, ToolCall, ToolOutcome, Touched, Usage
from muster_subagent.secrets import Secrets
from muster_subagent.step_permissions import LEAST, Permission


class Session(Protocol):
    """The live environment a sub-task is attached to. Every method raises `SessionLost` once that is over."""

    async def device(self) -> Device:
        """Return what is looked at and acted on; it is connected to when it is first asked for something."""
        ...

    @property
    def device_used(self) -> bool:
        """Whether there is a connection to the device, so that it has something to show."""
        ...

    async def execute(
        self,
        command: str,
        *,
        call: str,
        timeout_seconds: float,
        background: bool = False,
        secrets: Mapping[str, str],
        on_output: Callable[[str, str], None] | None = None,
        author: Author = "model",
        approved: bool = False,
    ) -> ExecDone:
        """Run a shell command in the session; with the same call id the same run of it is joined.

        `on_output` is told (stream, text) while the command runs.
        """
        ...

    async def read_file(self, path: str, limit: int = REPLY_LIMIT) -> FileContent:
        """Read a file of the session's directory, its first `limit` bytes at most."""
        ...

    async def write_file(self, path: str, content: bytes) -> None:
        """Write a file of the session's directory."""
        ...

    async def list_files(self, path: str) -> tuple[FileEntry, ...]:
        """List a folder of the session's directory."""
        ...

    @property
    def has_workspace(self) -> bool:
        """Whether the session has a copy of a workspace."""
        ...

    @property
    def kind(self) -> str:
        """Kind of its device."""
        ...

    @property
    def surroundings(self) -> str:
        """The machine as its commands see it, in one line; empty: not known."""
        ...

    async def use_workspace(self, asked: ToolCall, *, call: str, timeout_seconds: float) -> WorkspaceDone:
        """Carry out a call in the session's workspace; with the same call id it is joined."""
        ...

    async def read_picture(self, picture: bytes) -> PictureRead:
        """Return the words that the session's host recognises in a picture (PNG)."""
        ...

    async def keep(self, key: str, value: str) -> None:
        """Keep a small text with the session."""
        ...

    async def recall(self, key: str) -> str | None:
        """Return what was kept, or what the host has seen (`exec`, `document`, `console`, `network`)."""
        ...


class Looked(NamedTuple):
    """What a model that was shown a page says of it."""

    holds: bool
    quote: str
    """The part of the page that shows it, as the model copied it."""
    answer: str
    usage: Usage
    pictured: bool = False
    """It saw a picture, not the text alone."""


class Looker(Protocol):
    """A model that is shown a page and nothing else."""

    @property
    def sees(self) -> bool:
        """Whether it can be shown pictures."""
        ...

    async def at(self, statement: str, text: str, picture: bytes | None) -> Looked:
        """Say whether a statement about a page is true, given its text and, if it can see, its picture (PNG).

        Raises:
            ToolError: no answer that can be used.
        """
        ...

    async def answer(self, question: str, picture: bytes) -> Looked:
        """Answer a question about a picture (PNG).

        Raises:
            ToolError: no answer.
        """
        ...

    async def summary(self, text: str) -> tuple[str, Usage]:
        """Return what matters in a long output, in few words, or "" if that cannot be had; and what it cost."""
        ...


class SessionLost(Exception):
    """The session is gone, or another worker holds it now; a fault of the environment, told to nobody's model."""

    def __init__(self, reason: str, *, fenced: bool = False) -> None:
        self.reason, self.fenced = reason, fenced
        super().__init__(reason)


class NeedsPerson(Exception):
    """Only a person can say how to go on: the question, and its id. No model is told of it."""

    def __init__(self, question: str, text: str) -> None:
        self.question, self.text = question, text
        super().__init__(text)


class NeedsChildren(Exception):
    """Other agents have to work before this sub-task can go on. Told to nobody's model."""

    def __init__(self, children: Children) -> None:
        self.children = children
        super().__init__(f"{len(children.children)} sub-tasks")


class Wish(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A task for another agent, as an agent words it; 0: no wish."""

    agent: str
    task: str
    calls: int = 0
    tools: tuple[str, ...] | None = None
    context: int = 0
    """Characters of its largest question."""
    seconds: float = 0.0
    tier: TierName | None = None
    """The model that it asks; None: as its file says, or else the one of whoever asks. `temperature` likewise."""
    temperature: Temperature | None = None
    output_schema: dict[str, Any] = {}
    """JSON Schema of the output that is wanted; empty: any, or none."""


class Delegate(Protocol):
    """The sub-agents of one sub-task."""

    def at_once(self, wanted: int) -> int:
        """Return how many may work at the same time."""
        ...

    def order(self, wishes: Sequence[Wish], may: Permissions = EVERYTHING) -> tuple[Child, ...]:
        """Return the orders for wishes of an agent that may do no more than this now.

        Raises:
            ToolError: one of them cannot be met.
        """
        ...

    def ends(self, call: str) -> tuple[ChildEnd, ...] | None:
        """Return how the sub-agents that a call asked for ended; None: it has not asked yet."""
        ...

    async def result(self, end: ChildEnd) -> SubTaskResult | None:
        """Return the whole result of a sub-agent; None: it cannot be read."""
        ...


class SkillShelf(Protocol):
    """The skills of one sub-task's agent, and which one is loaded."""

    @property
    def loaded(self) -> str:
        """Id of the skill that is loaded; empty: none."""
        ...

    @property
    def permissions(self) -> Permissions:
        """What the agent may do now."""
        ...

    def describe_loading(self, id: str, device: str) -> str:
        """Return what is told of a skill that is loaded where the device is of this kind.

        Raises:
            ToolError: it cannot be.
        """
        ...

    def follow(self, what: str, id: str) -> None:
        """Take note of a skill that was loaded or unloaded."""
        ...

    def find_overdue(self) -> str:
        """Return that the loaded skill has to be unloaded, or ""."""
        ...

    def instructions(self) -> str:
        """Return what the model is told of skills."""
        ...


class Recorder(Protocol):
    """Notes what the screen shows around the acts of one sub-task."""

    async def around(self, index: int, make: Callable[[], Awaitable[ToolOutcome]]) -> ToolOutcome:
        """Make a call of this index, and add to its outcome what the screen showed before and after it."""
        ...

    def keep(self) -> tuple[ArtifactRef, ...]:
        """Store what is kept of a sub-task that has failed, unless it is stored already."""
        ...


@dataclass(kw_only=True)
class ToolContext:
    """One for each sub-task; `call` changes with each call."""

    session: Session
    secrets: Secrets
    http: httpx.AsyncClient
    call: str
    """Journal id of the call that runs, `<task>:<index>`."""
    clause: str = ""
    """The clause of the expectation that the running call has to prove."""
    author: Author = "model"
    """Who chose the command of the call that runs."""
    by_model: bool = False
    """Whether a model chose the call that runs, whoever chose its command."""
    permissions: Permissions = EVERYTHING
    """What the agent may do at most."""
    domains: tuple[str, ...] = ()
    """Hosts the browser and HTTP tools may reach; empty means any."""
    permission: Permission = LEAST
    """What the step's words allow a model to do, and which secrets it may use."""
    store: Callable[[str, bytes, str], ArtifactRef]
    """Store a file (name, content, content type) as an artifact in the background, and return its reference."""
    looker: Looker | None = None
    """A model to ask about the page; None: no model is set."""
    on_output: Callable[[str, str], None] = field(default=lambda _stream, _text: None)
    """Told (stream, text) while a command runs, for the live log."""
    transfer_limit: int = 50_000_000
    """Bytes of the largest file that is moved between the session's directory and the page, or checked."""
    action_timeout: float = 5.0
    """Seconds a tool waits for its target or a check for its expectation to become true."""
    patience: float = 0.0
    """Seconds that the check under way may wait instead; 0: no longer than others."""
    answers: Mapping[str, str] = field(default_factory=dict[str, str])
    """What people have answered, by the id of the call that asked."""
    skills: SkillShelf | None = None
    """The agent's skills; None: it has none."""
    recorder: Recorder | None = None
    """Looks at the screen around acts; None: nobody does."""
    acts_shown: bool = False
    """Whether pictures are taken around acts: each tells where its element was."""
    delegate: Delegate | None = None
    """Other agents to ask; None: there are none."""
    fleet: FleetApi | None = None
    """The API of the fleet, with the rights of whoever opened the conversation, or of the trigger; None: no rights."""
    leads: bool = False
    """Whether the person in the conversation may be led to another page."""
    search_url: str = ""
    """A SearXNG-compatible search service; empty: there is none."""
    entered: tuple[str, ...] = ()
    """Texts that the sub-task has put into fields so far; what they show proves nothing."""
    located: Located | None = None
    """What a model has found in a picture, if the call that runs acts on that; None: no call may name a point."""
    touched: Box | None = None
    """Where the element of the call is, for those who look at the run afterwards."""
    acted_on: Touched | None = None
    """What the call acts on, as the device knew it before."""
    entrusted: tuple[str, ...] | None = None
    """Hosts that may be given what the call enters, since it holds a secret; None: it holds none."""
    place: Place | None = None
    """The place of the screen that the call looked at last; None: it has not looked."""
    pointed: Box | None = None
    """Where the element is that was touched or looked at last, as long as no action has led to a page without it."""
