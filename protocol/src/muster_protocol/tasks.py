"""Sub-tasks: what a worker is handed, and the typed result it gives back."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Cause, Failure
from muster_protocol.plans import Plan
from muster_protocol.requests import Job, Priority
from muster_protocol.tool_calls import ArtifactRef, Usage


class Mended(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The failed step that a recovery is to clear the way for: it may not bring about what the step is to show."""

    action: str
    expected: str


class Capture(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a model took a value from."""

    name: str
    arguments: str
    """Arguments of the call that captured it, as JSON."""
    tool: str = "remember"
    """The call that captured it; not all take a value from the product."""


class Budget(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a sub-task may still spend."""

    iterations: int = 15
    """Turns of a model."""
    calls: int = 100
    tokens: int = 0
    """0: no bound."""
    cost: float = 0.0
    """Money, in the currency of the price table; 0: no bound."""
    seconds: float = 180.0
    spawn_depth: int = 0


class SubTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One focused unit of work for one sub-agent with a fresh context."""

    id: str
    """`<run>.<node>.<attempt>`, also the message id in the queue."""
    run: str
    node: str
    attempt: int
    dispatch: int
    """Place in the run's order of dispatch, from 1; newer holders of a session have higher ones."""
    description: str = ""
    expected_result: str = ""
    parent: str = ""
    covers: tuple[int, ...] = ()
    precondition: bool = False
    written: tuple[str, ...] = ()
    """The actions of the written steps it covers, verbatim, where `description` is a planner's wording of a part."""
    guarded: tuple[str, ...] = ()
    """Literals of expectations that only the product may bring about; no command, file or address may hold one."""
    mended: Mended | None = None
    """For a recovery: the step that is tried again after it."""
    role: str = "executor"
    pool: str = "act"
    priority: Priority = "normal"
    capabilities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    """Names of the tools it may call; empty: those of its role."""
    session: str = ""
    """Name of the session it works in; empty for sub-tasks that touch none."""
    host: str = ""
    """Id of the host that keeps the session."""
    domains: tuple[str, ...] = ()
    budget: Budget = Budget()
    finish_by: float = 0.0
    """Unix seconds after which its result no longer counts; 0: none."""
    position: int = 0
    """Its number among `total` planned sub-tasks, from 1, for people; 0 for planning."""
    total: int = 0
    job: Job | None = None
    """The whole job, for the planner alone."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets it may use."""
    values: dict[str, str] = {}
    """Variables and captured values by name."""
    state: str = ""
    """What happened so far, in short."""
    output_schema: str = ""
    """JSON Schema of the output wanted beyond pass or fail; empty: none."""
    answers: dict[str, str] = {}
    """What people answered to the questions it asked before, by question id; its journal says where it stopped."""
    notice: str = ""
    """What the sub-agent has to know beside the state, such as that its session was opened anew."""


class Evidence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check that speaks for or against one clause of the expectation."""

    clause: str
    """The clause, verbatim."""
    check: str
    """The tool that looked."""
    arguments: str = ""
    """The check's arguments as JSON, values filled in, secrets as placeholders."""
    call: int
    """Index of the call in the sub-task's journal."""
    passed: bool
    by: Literal["phrase", "model"] = "phrase"
    """Who bound the check to the clause: the parser of phrases, or a model, whose choice is examined."""
    expected: str = ""
    seen: str = ""
    where: str = ""
    artifacts: tuple[ArtifactRef, ...] = ()


class Act(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state-changing call that a model chose."""

    call: int
    """Index of the call in the sub-task's journal."""
    tool: str
    arguments: str
    """Its arguments as JSON, values filled in, secrets as placeholders."""
    confirmed: bool = True
    """Whether the call saw its own effect."""


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an evaluator makes of a failed sub-task."""

    action: Literal["continue", "recover", "stop"]
    reason: str = ""
    cause: Cause | None = None
    recovery: str = ""
    """What to do before the failed sub-task is tried again."""
    recovery_expected: str = ""


ResultStatus = Literal["pass", "fail", "error", "cancelled"]


class SubTaskResult(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="result"):
    """What came of a sub-task. `error` means it could not be carried out, through no fault of test or product."""

    task: str
    """The sub-task's id."""
    node: str
    attempt: int
    status: ResultStatus
    summary: str
    worker: str = ""
    failure: Failure | None = None
    cause: Cause | None = None
    error: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    plan: Plan | None = None
    """The planner's output."""
    decision: Decision | None = None
    """The evaluator's output."""
    output: str = ""
    """Output of other roles, JSON by the sub-task's schema."""
    outputs: dict[str, str] = {}
    """Values it captured, by name."""
    evidence: tuple[Evidence, ...] = ()
    last_act: int = -1
    """Index of the last call that changed state (effect `act` or `idempotent`); -1: none did."""
    acts: tuple[Act, ...] = ()
    """What a model did, in order; empty for scripts, whose calls the case itself spells out."""
    captures: tuple[Capture, ...] = ()
    """Where a model took the values from that it captured."""
    acted: bool = False
    """Whether a call of effect `act` was begun; then it cannot be tried again from the start."""
    unverified: bool = False
    """It passed without an expectation: each action's own effect was confirmed, nothing more."""
    iterations: int = 0
    usage: Usage = Usage()
    source: Literal["phrase", "script", "model"] = "phrase"
    artifacts: tuple[ArtifactRef, ...] = ()


class NeedsChildren(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="needs_children"):
    """The sub-task wants others done first; it gives its slot back and goes on with their results."""

    task: str
    node: str
    attempt: int
    sub_tasks: tuple[SubTask, ...]


class NeedsAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="needs_answer"):
    """The sub-task asks a person; it gives its slot back, and goes on from where its journal stops."""

    task: str
    node: str
    attempt: int
    question: str
    """Id of the question, `<task>:<call index>`."""
    text: str


Outcome = SubTaskResult | NeedsChildren | NeedsAnswer
