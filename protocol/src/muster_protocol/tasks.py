"""Sub-tasks: the envelopes of what a worker gets and returns; `kinds` has the contents."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Cause, Failure
from muster_protocol.kinds import KINDS_BY_NAME, ExploreInput, Input, Output, Pool, StepInput, StepOutput
from muster_protocol.requests import Priority
from muster_protocol.tool_calls import ArtifactRef, Usage


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
    notice: str = ""
    """Told to the sub-agent beside its input, such as that its session was lost and opened again."""

    @property
    def kind(self) -> str:
        """Name of its kind."""
        return str(self.input.__struct_config__.tag)

    @property
    def pool(self) -> Pool:
        """The work queue it goes to."""
        return KINDS_BY_NAME[self.kind].pool

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets that it may use."""
        return self.input.secrets if isinstance(self.input, StepInput | ExploreInput) else ()

    @property
    def domains(self) -> tuple[str, ...]:
        """Hosts that it may visit; empty: any."""
        return self.input.domains if isinstance(self.input, StepInput | ExploreInput) else ()

    @property
    def step(self) -> StepInput:
        """The input of a step; an empty one for other kinds."""
        return self.input if isinstance(self.input, StepInput) else StepInput()


ResultStatus = Literal["pass", "fail", "error", "cancelled"]


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
