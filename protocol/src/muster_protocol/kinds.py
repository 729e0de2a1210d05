"""Kinds of sub-tasks: what each is handed, what it gives back, and who works on it.

A kind is an input, an output and a row in `KINDS`; the machine and the worker have a module for each. The input is all
that a sub-task sees of its run's job.
"""

from typing import Literal, NamedTuple

from msgspec import Struct

from muster_protocol.causes import Cause, Failure
from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase

Pool = Literal["think", "act"]
"""Work queues: `act` for sub-tasks that work in a session, `think` for all others."""
POOLS: tuple[Pool, ...] = ("think", "act")
TierName = Literal["orchestrator", "sub_agent", "vision"]
"""Which of the models that a worker is set up with."""


class Mended(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The failed step that a recovery is to clear the way for: it may not bring about what the step is to show."""

    action: str
    expected: str


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an evaluator makes of a failed sub-task."""

    action: Literal["continue", "recover", "stop"]
    reason: str = ""
    cause: Cause | None = None
    recovery: str = ""
    """What to do before the failed sub-task is tried again."""
    recovery_expected: str = ""


class PlanInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan"):
    """The case to plan."""

    case: TestCase


class PlanOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan"):
    """The plan of a case."""

    plan: Plan


class StepInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="step"):
    """A step to carry out in a session; the sub-task's description is its action."""

    expected_result: str = ""
    covers: tuple[int, ...] = ()
    """Indexes (from 0) of the written steps it carries out."""
    precondition: bool = False
    written: tuple[str, ...] = ()
    """The actions of the written steps it covers, verbatim, where the description is a planner's wording of a part."""
    guarded: tuple[str, ...] = ()
    """Literals of expectations that only the product may bring about; no command, file or address may hold one."""
    mended: Mended | None = None
    """For a recovery: the step that is tried again after it."""
    domains: tuple[str, ...] = ()
    """Hosts the browser may visit; empty: any."""
    hosts: tuple[str, ...] = ()
    """Hosts that the case itself names; where it has no domains, a model asks and secrets go to no others."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets it may use."""
    values: dict[str, str] = {}
    """Variables and captured values by name."""
    state: str = ""
    """What happened so far, in short."""


class StepOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="step"):
    """What a step did and saw."""

    captured: dict[str, str] = {}
    """Values it captured, by name."""
    evidence: tuple[Evidence, ...] = ()
    acts: tuple[Act, ...] = ()
    """What a model did, in order; empty for scripts, whose calls the case itself spells out."""
    captures: tuple[Capture, ...] = ()
    """Where a model took the values from that it captured."""


class EvaluateInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="evaluate"):
    """A failed step to evaluate."""

    action: str
    summary: str
    failure: Failure | None = None
    expected: str = ""
    seen: str = ""
    where: str = ""
    recoveries: int = 0
    """Recoveries of the step that were tried before."""
    state: str = ""
    """What happened before it, in short."""


class EvaluateOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="evaluate"):
    """What the run is to do about the failed step."""

    decision: Decision


class SummariseInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="summarise"):
    """What happened so far, to be put into fewer words."""

    state: str = ""


class SummariseOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="summarise"):
    """What happened so far, in few words."""

    state: str


class NoopInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="noop"):
    """Nothing to do, for a while."""

    wait_seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Processor time to burn."""


class NoopOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="noop"):
    """Nothing was done."""


Input = PlanInput | StepInput | EvaluateInput | SummariseInput | NoopInput
Output = PlanOutput | StepOutput | EvaluateOutput | SummariseOutput | NoopOutput


class Kind(NamedTuple):
    """One kind of sub-task."""

    name: str
    pool: Pool
    input: type[Struct]
    output: type[Struct]
    agent: str
    """Id of the agent that works on it unless the run names another; empty: no agent does."""
    tier: TierName | None
    """The model its agents ask unless their file names another; None: none."""
    label: str
    """What people read for it: `Planning`, `Evaluation`."""
    planned: bool = False
    """Whether it may stand in a plan; others are added by the run, and are no part of its progress."""


KINDS = (
    Kind("plan", "think", PlanInput, PlanOutput, "case-planner", "orchestrator", "Planning"),
    Kind("step", "act", StepInput, StepOutput, "step-runner", "sub_agent", "Step", planned=True),
    Kind("evaluate", "think", EvaluateInput, EvaluateOutput, "evaluator", "orchestrator", "Evaluation"),
    Kind("summarise", "think", SummariseInput, SummariseOutput, "summariser", "orchestrator", "Summary"),
    Kind("noop", "think", NoopInput, NoopOutput, "", None, "Drill", planned=True),
)
KINDS_BY_NAME = {kind.name: kind for kind in KINDS}
"""A name that is no key here is a kind of another version: nobody can work on it."""
