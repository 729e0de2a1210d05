"""Sub-tasks: the envelope a worker is handed, and that of the result it gives back; `kinds` has what is in them."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Cause, Failure
from muster_protocol.kinds import KINDS_BY_NAME, Input, Output, Pool, StepInput, StepOutput
from muster_protocol.requests import Priority
from muster_protocol.tool_calls import ArtifactRef, Usage


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


class SubTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One focused unit of work for one sub-agent with a fresh context."""

    id: str
    """`<run>.<node>.<attempt>`, also the message id in the queue."""
    run: str
    node: str
    attempt: int
    dispatch: int
    """Place in the run's order of dispatch, from 1; newer holders of a session have higher ones."""
    input: Input
    """What to do, by kind; all that the sub-task sees of the run's job."""
    description: str = ""
    """What to do, in words."""
    agent: str = ""
    """Id of the agent that works on it; empty: no agent does."""
    about: str = ""
    """Id of the node it was added for: one that failed, and is evaluated or tried again after it."""
    priority: Priority = "normal"
    session: str = ""
    """Name of the session it works in; empty for sub-tasks that touch none."""
    host: str = ""
    """Id of the host that keeps the session."""
    budget: Budget = Budget()
    finish_by: float = 0.0
    """Unix seconds after which its result no longer counts; 0: none."""
    position: int = 0
    """Its number among `total` planned sub-tasks, from 1, for people; 0 for what stands in no plan."""
    total: int = 0
    answers: dict[str, str] = {}
    """What people answered to the questions it asked before, by question id; its journal says where it stopped."""
    notice: str = ""
    """What the sub-agent has to know beside its input, such as that its session was opened anew."""

    @property
    def kind(self) -> str:
        """Name of its kind."""
        return str(self.input.__struct_config__.tag)

    @property
    def pool(self) -> Pool:
        """The work queue it goes to."""
        return KINDS_BY_NAME[self.kind].pool

    @property
    def step(self) -> StepInput:
        """The input of a step; an empty one for other kinds."""
        return self.input if isinstance(self.input, StepInput) else StepInput()


ResultStatus = Literal["pass", "fail", "error", "cancelled"]


class SubTaskResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of a sub-task. `error` means it could not be carried out, through no fault of test or product."""

    task: str
    """The sub-task's id."""
    node: str
    attempt: int
    status: ResultStatus
    summary: str
    output: Output | None = None
    """What it gave, by kind; None: nothing."""
    worker: str = ""
    failure: Failure | None = None
    cause: Cause | None = None
    expected: str = ""
    """Of a fail: what was expected where."""
    seen: str = ""
    where: str = ""
    last_act: int = -1
    """Index of the last call that changed state (effect `act` or `idempotent`); -1: none did."""
    acted: bool = False
    """Whether a call of effect `act` was begun; then it cannot be tried again from the start."""
    unverified: bool = False
    """It passed without an expectation: each action's own effect was confirmed, nothing more."""
    iterations: int = 0
    usage: Usage = Usage()
    source: Literal["phrase", "script", "model"] = "phrase"
    artifacts: tuple[ArtifactRef, ...] = ()

    @property
    def step(self) -> StepOutput:
        """The output of a step; an empty one for other kinds, and where there is none."""
        return self.output if isinstance(self.output, StepOutput) else StepOutput()
