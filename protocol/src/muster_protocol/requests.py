"""Run requests: what is to be done, and within which limits."""

from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta, Struct

from muster_protocol.assignments import Deliverable, Names, Spending, Temperature, TierName
from muster_protocol.explorations import ExplorationPolicy, OwnNode

MAIN = "main"
"""Name of the session of steps without one."""
VerdictStatus = Literal["pass", "fail", "done", "failed"]
"""How a run ends: a test passes or fails; a job that is no test is done or has failed."""
OVER: tuple[VerdictStatus, ...] = get_args(VerdictStatus)
ACHIEVED: frozenset[str] = frozenset({"pass", "done"})
"""Statuses of runs that came to what they were asked for."""
TESTED: frozenset[str] = frozenset({"pass", "fail"})
"""Statuses of tests, which alone are counted as passed or failed."""
TEAM_LABEL = "team"
"""Label of runs: the team that the key is bound to with which they were submitted."""
Priority = Literal["critical", "high", "normal"]
PRIORITIES: tuple[Priority, ...] = ("critical", "high", "normal")
RecordMode = Literal["off", "on", "on-failure"]
"""Whether a session's recordings are kept: never, always, or unless the run passed."""
RecordWish = Literal["", "off", "on", "on-failure"]
"""The same in a request; empty: as set at the session host."""


class Limits(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Limits of a run; the first one reached ends it. None: no limit of its own."""

    timeout_seconds: Annotated[float, Meta(gt=0)] | None = None
    """Wall time from the first event of the run to its verdict."""
    max_subtasks: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    """Planned sub-tasks and recoveries together."""
    max_calls: Annotated[int, Meta(ge=1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    max_cost: Annotated[float, Meta(gt=0)] | None = None
    """Money, in the currency of the price table."""


class Written(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step as its author wrote it, in sentences of the team's own that stand for several steps."""

    action: str
    expected: str = ""
    steps: Annotated[int, Meta(ge=1)] = 1
    """How many steps it stands for: this one and those after it."""


OnFail = Literal["stop", "continue"]
"""What a case does after a step of it has failed: end, or carry out the steps that are left. It fails either way."""
ON_FAIL: tuple[OnFail, ...] = get_args(OnFail)
OnFailWish = Literal["", "stop", "continue"]
"""The same of a step; empty: as the case says."""


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One written step: an action and an expectation."""

    action: Annotated[str, Meta(min_length=1)]
    expected: str = ""
    """Empty: the step passes, marked unverified, if each of its actions had its effect."""
    session: str = MAIN
    """Name of its session; steps of different sessions run in parallel."""
    on_fail: OnFailWish = ""
    written: Written | None = None
    """What was written where sentences of one's own stood; it is for people, and nothing is carried out by it."""


DeviceKind = Literal["web", "screens", "appium", "none"]
DEVICE_KINDS: tuple[DeviceKind, ...] = get_args(DeviceKind)


Checker = Literal["critic", "validator"]
"""An agent that examines a case's plan, or what its steps were seen to have shown."""
CHECKERS: tuple[Checker, ...] = get_args(Checker)


class DeviceSpec(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The device of a case's sessions."""

    kind: DeviceKind
    """A browser, an app simulated from a file, a phone, or none: only commands and HTTP requests."""
    name: Annotated[str, Meta(max_length=100)] = ""
    """Which phone, by the name that session hosts give it; empty: any that is free. Never an address."""
    definition: str = ""
    """Text of the file that describes the app; for `screens`."""
    source: str = ""
    """Name of that file, for error messages."""
    faults: tuple[str, ...] = ()
    """Names of the app's faults to switch on."""
    lease: Annotated[str, Meta(max_length=100)] = ""
    """Who must hold the phone if anybody has leased it; set by the gateway."""


class _JobBase(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type"):
    """What a run is asked to do."""

    ends: ClassVar[tuple[VerdictStatus, VerdictStatus]] = ("done", "failed")
    """How its run ends, if well and if not."""
    planned: ClassVar[bool] = False
    """Whether a run follows a plan made beforehand, or decides as it goes."""


class TestCase(_JobBase, frozen=True, kw_only=True, tag="test_case"):
    """A test case as a person writes it."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it

    ends: ClassVar[tuple[VerdictStatus, VerdictStatus]] = ("pass", "fail")
    planned: ClassVar[bool] = True
    name: Annotated[str, Meta(min_length=1, max_length=300)]
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    preconditions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    """Requirements that it tests, such as `REQ-7`."""
    variables: dict[str, str] = {}
    """Used in steps as `${name}`."""
    secrets: tuple[str, ...] = ()
    """Names of secrets, used as `${secret:NAME}`; workers fill in the values inside tool calls."""
    domains: tuple[str, ...] = ()
    """Hosts that the browser may visit; empty: any."""
    on_fail: OnFail = "stop"
    checked_by: tuple[Checker, ...] = ()
    """Agents that examine it beside those that the fleet asks for each case."""
    device: DeviceSpec | None = None
    """None: a browser, started when a step first needs it."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Preconditions, actions and expectations, as written."""
        return (*self.preconditions, *(text for step in self.steps for text in (step.action, step.expected)))


class Drill(_JobBase, frozen=True, kw_only=True, tag="drill"):
    """A chain of sub-tasks that do nothing, to size and exercise a fleet without a browser."""

    ends: ClassVar[tuple[VerdictStatus, VerdictStatus]] = ("pass", "fail")
    planned: ClassVar[bool] = True
    name: str = "drill"
    count: Annotated[int, Meta(ge=1, le=10_000)] = 10
    wait_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """How long each sub-task waits."""
    cpu_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """Processor time that each sub-task uses."""


class Assignment(_JobBase, frozen=True, kw_only=True, tag="assignment"):
    """A goal for an agent. It ends `done` or `failed` and is never counted as a test."""

    goal: Annotated[str, Meta(min_length=1, max_length=20_000)]
    agent: Annotated[str, Meta(min_length=1, max_length=63)]
    """Id of the agent, such as `researcher`."""
    name: Annotated[str, Meta(min_length=1, max_length=300)] = "assignment"
    inputs: dict[str, str] = {}
    """Texts that the agent is given beside the goal, by name; used in `acceptance` as `${name}`."""
    workspace: str = ""
    """Name of a workspace that a session host serves; empty: none."""
    url: str = ""
    """Where the agent begins if it works in a browser."""
    device: DeviceSpec | None = None
    """Where it works beside a workspace; `{kind: none}` is an empty folder with a shell. None: a browser if there is a
    `url`."""
    budget: Spending = Spending()
    tier: TierName | None = None
    """The model that it asks; None: as its agent's file says. Its sub-agents ask the same unless their files or orders
    say otherwise; so it is with the temperature."""
    temperature: Temperature | None = None
    tools: Names = None
    """Tools or groups of tools that it is limited to; None: all of its agent."""
    domains: tuple[str, ...] = ()
    """Hosts that it may reach; empty: those that the goal, the inputs and the URL name."""
    secrets: tuple[str, ...] = ()
    output_schema: dict[str, Any] = {}
    """JSON Schema of the output; empty: any output, or none."""
    deliverable: Deliverable = ""
    """What the output is held to beside its schema."""
    acceptance: tuple[Annotated[str, Meta(min_length=1)], ...] = ()
    """Expectations in known phrases that must hold in the end; without any, the agent's word decides."""
    notes_on: str = ""
    """Id of a run that is over: what the agent finds out is kept as a note beside it. Empty: nothing is."""
    event: str = ""
    """What has happened, as somebody tells it: data, which gives no right, not even to reach hosts that it names."""
    role: Literal["", "viewer", "runner"] = ""
    """Role with which the agent may ask the fleet; empty: it may not. Only triggers give one."""
    may_start: Annotated[tuple[str, ...], Meta(max_length=200)] = ()
    """Ids of the stored cases that it may start."""

    @property
    def in_session(self) -> bool:
        """Whether it works in a session; without one, tools that need it are not offered."""
        return bool(self.workspace or self.url or self.device or self.acceptance)


class Exploration(_JobBase, frozen=True, kw_only=True, tag="exploration"):
    """A search for what there is to test in an app: its states, what can be done in each, and what goes wrong.

    It ends `done` or `failed` and is never counted as a test.
    """

    name: Annotated[str, Meta(min_length=1, max_length=300)] = "exploration"
    url: str = ""
    """Where the app begins; for a browser."""
    device: DeviceSpec | None = None
    """None: a browser."""
    policy: Annotated[tuple[ExplorationPolicy, ...], Meta(max_length=6)] = ()
    """The first is followed until it finds nothing new any more, then the next; empty: see `policies`."""
    seed: int = 0
    """The same seed explores the same app alike."""
    goal: str = ""
    """An expectation, such as `The page title contains "Cart"`; the exploration ends where it holds."""
    focus: str = ""
    """Words of the part of the app that the policy `focused` is about."""
    max_steps: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    """Steps on the device: starts, taps, entries, ways back."""
    max_time_ms: Annotated[int, Meta(ge=0)] = 0
    """0: as long as the run may take."""
    max_taps: Annotated[int, Meta(ge=0)] = 0
    """0: no limit of its own."""
    outside_app: Annotated[int, Meta(ge=0)] = 2
    """How often a move may lead to another host of `domains`."""
    restarts: Annotated[int, Meta(ge=0)] = 20
    """How often the app may be started anew after a crash or where the way back is lost."""
    tour_moves: Annotated[int, Meta(ge=1, le=50)] = 5
    """Moves that one sub-task tries."""
    sessions: Annotated[int, Meta(ge=1, le=64)] = 1
    """How many sessions explore at once."""
    instances: Annotated[int, Meta(ge=1, le=10_000)] = 500
    """How many pages that differ in the numbers of their addresses alone are kept apart."""
    allow: tuple[str, ...] = ()
    """Destructive words that may be tapped all the same, such as `log out`; `*`: all of them."""
    values: dict[str, str] = {}
    """What to enter, by the name of the field; may use `${secret:NAME}`."""
    secrets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    """Hosts that may be visited; empty: that of `url` alone."""
    slow_seconds: Annotated[float, Meta(gt=0)] = 5.0
    """From here on the answer to a move is a finding."""
    nodes: Annotated[tuple[OwnNode, ...], Meta(max_length=20)] = ()
    """Nodes of your own that each tour passes."""
    keys: Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(max_length=20)] = ()
    """Keys of the remote control by which the app is walked, such as `ArrowDown`; empty: it is tapped."""

    @property
    def policies(self) -> tuple[ExplorationPolicy, ...]:
        """The policies that are followed: those asked for, else what a goal or a focus calls for, else `coverage`."""
        return self.policy or (("goal",) if self.goal else ("focused",) if self.focus else ("coverage",))


Role = Literal["viewer", "runner", "admin"]
"""What a key of the API may do; each includes the ones before it."""


class Conversation(_JobBase, frozen=True, kw_only=True, tag="conversation"):
    """A chat with an agent. It waits for messages without an owner, and is over once it is deleted or forgotten."""

    name: Annotated[str, Meta(min_length=1, max_length=300)] = "conversation"
    """With this default, lists show its first message instead."""
    agent: Annotated[str, Meta(min_length=1, max_length=63)] = "assistant"
    by: Annotated[str, Meta(max_length=64)] = ""
    """Name of the key of whoever opened it; empty: no key was needed."""
    role: Role = "viewer"
    """Role of that key; the agent may do no more."""


class Analysis(_JobBase, frozen=True, kw_only=True, tag="analysis"):
    """A second look at a run that is over. What it comes to is kept as a note beside that run, which stays as it is."""

    run: Annotated[str, Meta(min_length=1, max_length=64)]
    """Id of the run that it is about."""
    name: Annotated[str, Meta(min_length=1, max_length=300)] = "analysis"
    material: dict[str, str] = {}
    """What the run has left, as texts by what they are: data, which gives no right."""


Job = TestCase | Drill | Assignment | Exploration | Conversation | Analysis


class RunRequest(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A request to run a job; published on `muster.requests.<id>` or sent to `muster.submit`."""

    job: Job
    id: str = ""
    """The run's id, one subject token; empty: generated."""
    suite: str = ""
    labels: dict[str, str] = {}
    priority: Priority = "normal"
    limits: Limits = Limits()
    reply_to: str = ""
    """NATS subject to publish the verdict on."""
    webhook: str = ""
    record: RecordWish = ""
    """Whether to keep trace, HAR, console and downloads of its sessions; empty: as set at the session host."""
    heal: Literal["use", "propose", "off"] = "propose"
    """What becomes of a recording of a step that was healed: used from now on, proposed to people, or never healed."""
    approve_plan: bool = False
    """Whether a person has to approve the plan of a case before anything of it is done."""
    idempotency_key: str = ""
    """Requests with the same key are one run."""
    correlation_id: str = ""
    """The sender's own id of the request; returned in the verdict and, on NATS, in its headers."""
    rerun_of: str = ""
    """Id of the run that this one repeats."""
    requested_at: float = 0.0
    """Unix seconds; set when the request is stored."""
    traceparent: str = ""
    """The caller's span (W3C Trace Context), the parent of the run's span."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags of its case; other jobs have none."""
        return self.job.tags if isinstance(self.job, TestCase) else ()
