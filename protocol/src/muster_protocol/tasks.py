"""Sub-tasks: the envelopes of what a worker gets and returns; `kinds` has the contents."""

from functools import reduce
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.causes import Cause, Failure
from muster_protocol.conversation_work import ConverseInput
from muster_protocol.detector_work import LocateInput
from muster_protocol.kinds import (
    KINDS_BY_NAME,
    AssignInput,
    AssignOutput,
    ExploreInput,
    Input,
    Output,
    Pool,
    StepInput,
    StepOutput,
)
from muster_protocol.requests import Priority
from muster_protocol.tool_calls import ArtifactRef, Obstacle, Usage


class Budget(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Limits of a sub-task."""

    iterations: int = 15
    """Turns of a model."""
    calls: int = 100
    tokens: int = 0
    """0: no limit."""
    cost: float = 0.0
    """Money, in the currency of the price table; 0: no limit."""
    seconds: float = 180.0

    def less(self, used: Usage) -> "Budget":
        """Return what is left; a limit that is used up becomes negative, as 0 is none."""
        tokens = self.tokens - used.input_tokens - used.output_tokens
        return replace(
            self,
            calls=max(0, self.calls - used.calls),
            tokens=(tokens or -1) if self.tokens else 0,
            cost=(self.cost - used.cost or -1.0) if self.cost else 0.0,
        )

    def shared(self, parts: int) -> "Budget":
        """Return one of so many equal parts of what sub-tasks spend together; each has its own turns and time."""
        return replace(self, calls=self.calls // parts, tokens=int(self.tokens / parts), cost=self.cost / parts)

    def within(self, other: "Budget") -> "Budget":
        """Return the smaller limit of each."""
        return Budget(
            iterations=min(self.iterations, other.iterations),
            calls=min(self.calls, other.calls),
            tokens=min(self.tokens or other.tokens, other.tokens or self.tokens),
            cost=min(self.cost or other.cost, other.cost or self.cost),
            seconds=min(self.seconds, other.seconds),
        )


ResultStatus = Literal["pass", "fail", "error", "cancelled"]


class ChildEnd(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a sub-task of another one ended; its journal has the whole result."""

    node: str
    status: ResultStatus
    task: str = ""
    """Id of its last attempt; empty: it never began."""
    agent: str = ""
    summary: str = ""
    usage: Usage = Usage()
    """What it and its own sub-tasks have used."""


class SubTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One focused unit of work for one sub-agent with a fresh context."""

    id: str
    """`<run>.<node>.<attempt>`; also the message id in the queue."""
    run: str
    node: str
    attempt: int
    dispatch: int
    """Number in the run's order of dispatch, from 1; later holders of a session have higher ones."""
    input: Input
    """The input of its kind: all that the sub-task sees of the run's job."""
    description: str = ""
    """What to do, in words."""
    agent: str = ""
    """Id of its agent; empty: none."""
    about: str = ""
    """Id of the failed node that it evaluates or recovers."""
    priority: Priority = "normal"
    session: str = ""
    """Name of the session it works in; empty: none."""
    host: str = ""
    """Id of the session's host."""
    budget: Budget = Budget()
    finish_by: float = 0.0
    """Unix seconds after which its result no longer counts; 0: none."""
    position: int = 0
    """Its number among `total` planned sub-tasks, from 1, for people; 0 for unplanned ones."""
    total: int = 0
    answers: dict[str, str] = {}
    """Answers to its earlier questions, by question id; its journal says where it stopped."""
    parent: str = ""
    """Node of the sub-task that asked for it; empty: none."""
    resumed: int = 0
    """How often it went on after waiting for sub-tasks of its own."""
    children: dict[str, tuple[ChildEnd, ...]] = {}
    """How these ended, by the id of the call that asked for them, in the order asked."""
    definitions: str = ""
    """Digest of the release of agents and skills that its run has pinned; empty: those of the worker alone."""
    team: str = ""
    """Label `team` of its run: whose key models are asked with."""
    notice: str = ""
    """Told to the sub-agent beside its input, such as that its session was lost and opened again."""

    @property
    def kind(self) -> str:
        """Name of its kind."""
        return str(self.input.__struct_config__.tag)

    @property
    def pool(self) -> Pool:
        """The work queue it goes to."""
        return "act" if self.session else KINDS_BY_NAME[self.kind].pool

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets that it may use."""
        return (
            self.input.secrets if isinstance(self.input, StepInput | AssignInput | ExploreInput | LocateInput) else ()
        )

    @property
    def domains(self) -> tuple[str, ...]:
        """Hosts that it may visit; empty: any."""
        return (
            self.input.domains if isinstance(self.input, StepInput | AssignInput | ExploreInput | LocateInput) else ()
        )

    @property
    def step(self) -> StepInput:
        """The input of a step; an empty one for other kinds."""
        return self.input if isinstance(self.input, StepInput) else StepInput()

    @property
    def assigned(self) -> AssignInput:
        """The input of an assignment; for other kinds an empty one, with the rights that are given."""
        if isinstance(self.input, ConverseInput):
            return AssignInput(rights=self.input.rights)
        return self.input if isinstance(self.input, AssignInput) else AssignInput()

    @property
    def by_rights(self) -> bool:
        """Whether its agent's file and its rights decide which tools it has, not the words of a step."""
        return isinstance(self.input, AssignInput | ConverseInput)

    @property
    def ends_done(self) -> bool:
        """Whether its success is called `done`: goals and tours never pass, as that is what tests do."""
        return self.by_rights or isinstance(self.input, ExploreInput)

    @property
    def delegated(self) -> Usage:
        """What its own sub-tasks have used so far."""
        ends = (end for answers in self.children.values() for end in answers)
        return reduce(lambda sum, end: sum.plus(end.usage), ends, Usage())


class SubTaskResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a sub-task. `error`: it could not be carried out, through no fault of the test or the product."""

    task: str
    """The sub-task's id."""
    node: str
    attempt: int
    status: ResultStatus
    summary: str
    output: Output | None = None
    """The output of its kind; None: none."""
    worker: str = ""
    failure: Failure | None = None
    cause: Cause | None = None
    expected: str = ""
    """Of a fail: what was expected; `seen`: what was there instead; `where`: at which URL, element or command."""
    seen: str = ""
    where: str = ""
    last_act: int = -1
    """Index of the last call that changed state (effect `act` or `idempotent`); -1: none."""
    acted: bool = False
    """Whether a call of effect `act` was begun, after which the sub-task must not start over."""
    final: bool = False
    """Whether it must not be tried again, whatever failed: its agent's file says so."""
    obstacle: Obstacle | None = None
    """What was in the way of the call that failed; only where nothing was done before either."""
    unverified: bool = False
    """Whether it passed without an expectation: only the effect of each action was confirmed."""
    refusals: tuple[str, ...] = ()
    """Calls that its agent was not allowed, each with the reason; the first ten."""
    iterations: int = 0
    usage: Usage = Usage()
    source: Literal["phrase", "script", "recording", "model"] = "phrase"
    artifacts: tuple[ArtifactRef, ...] = ()

    @property
    def chosen(self) -> bool:
        """Whether a model chose its calls, now or when they were recorded, so that they are examined."""
        return self.source in ("model", "recording")

    @property
    def step(self) -> StepOutput:
        """The output of a step; an empty one if there is none or the kind is another."""
        return self.output if isinstance(self.output, StepOutput) else StepOutput()

    @property
    def assigned(self) -> AssignOutput:
        """The output of an assignment; an empty one if there is none or the kind is another."""
        return self.output if isinstance(self.output, AssignOutput) else AssignOutput()
