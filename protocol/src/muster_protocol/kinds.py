"""Kinds of sub-tasks: input, output, queue and agent of each; orchestrator and worker have a module for each."""

from typing import Any, Literal, NamedTuple

from msgspec import Struct

from muster_protocol.analyses import AnalyseInput, AnalyseOutput
from muster_protocol.assignments import Deliverable, Found, Rights, Temperature, TierName
from muster_protocol.causes import Cause, Failure
from muster_protocol.conversation_work import ConverseInput, ConverseOutput
from muster_protocol.detector_work import Located, LocateInput, LocateOutput
from muster_protocol.examiner_work import CritiqueInput, CritiqueOutput, Screens, ValidateInput, ValidateOutput
from muster_protocol.explorations import ExplorationPolicy, ExplorationSpent, Finding, Move, OwnNode, Sighting, Trial
from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_protocol.step_recordings import HealPolicy, Replay

Pool = Literal["think", "act"]
"""Work queues: `act` for sub-tasks that work in a session, `think` for all others."""
POOLS: tuple[Pool, ...] = ("think", "act")


class Mended(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The failed step that is tried again after a recovery, which may not bring about what the step is to show."""

    action: str
    expected: str


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An evaluator's decision about a failed sub-task."""

    action: Literal["continue", "recover", "replan", "retry", "stop", "wait"]
    """`wait`: it is tried again, and its looks wait longer; `retry`: it is tried again in another way."""
    reason: str = ""
    cause: Cause | None = None
    recovery: str = ""
    """What to do before the failed sub-task is tried again."""
    recovery_expected: str = ""
    hint: str = ""
    """What to try otherwise, for a retry."""


class PlanInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan"):
    """The case to plan."""

    case: TestCase
    critique: tuple[str, ...] = ()
    """What a critic found in the plan before."""
    checkpoints: bool = False
    """Whether sub-tasks that expect nothing may be given something to stop early at."""


class PlanOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="plan"):
    """The plan of a case."""

    plan: Plan


class StepInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="step"):
    """A step to carry out in a session; its action is the sub-task's description."""

    expected_result: str = ""
    covers: tuple[int, ...] = ()
    """Indexes (from 0) of the written steps that it carries out."""
    precondition: bool = False
    written: tuple[str, ...] = ()
    """The actions of the written steps that it covers, verbatim, if the description is a planner's wording."""
    guarded: tuple[str, ...] = ()
    """Literals that only the product may bring about; no command, file or address may contain one."""
    mended: Mended | None = None
    """For a recovery: the step to retry after it."""
    domains: tuple[str, ...] = ()
    """Hosts that the browser may visit; empty: any."""
    hosts: tuple[str, ...] = ()
    """Hosts that the case itself names; without `domains`, a model's requests and secrets may go only to these."""
    secrets: tuple[str, ...] = ()
    """Names of the secrets that it may use."""
    values: dict[str, str] = {}
    """Variables and captured values by name."""
    state: str = ""
    """Short history of the run."""
    device: str = "web"
    """Kind of the session's device."""
    heal: HealPolicy = "propose"
    """What to do where a recording of the step no longer fits."""
    patience: float = 1.0
    """How many times as long as usual its looks and checks may wait."""
    hint: str = ""
    """What an evaluator says to try otherwise; it allows nothing that the step's own words do not."""
    located: Located | None = None
    """What an element detector has found, where names did not; used only if they still do not."""
    screens: bool = False
    """Whether the result is to hold what the screen showed before and after, where clauses rest on a look alone."""


class StepOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="step"):
    """The evidence, acts and values of a step."""

    captured: dict[str, str] = {}
    """Captured values by name."""
    evidence: tuple[Evidence, ...] = ()
    acts: tuple[Act, ...] = ()
    """What a model did, in order; empty for scripts, whose calls the case itself spells out."""
    captures: tuple[Capture, ...] = ()
    """Origins of the captured values."""
    replay: Replay | None = None
    """The recording that it was replayed from, wholly or in part."""
    screens: Screens | None = None
    """What the screen showed before and after, if that was asked for."""
    sought: str = ""
    """What a failed step has looked for in vain, where nothing was sent and its worker has a model for pictures."""

    place: str | None = None
    """Address at which its newest call on the device left that; empty: not known; None: it made none."""

    @property
    def chosen_captures(self) -> tuple[Capture, ...]:
        """Origins of the values that a model captured."""
        return tuple(it for it in self.captures if it.by == "model")


class EvaluateInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="evaluate"):
    """A failed step to evaluate."""

    action: str
    summary: str
    failure: Failure | None = None
    expected: str = ""
    seen: str = ""
    where: str = ""
    recoveries: int = 0
    """How many recoveries of the step were tried before."""
    state: str = ""
    """Short history of the run before it."""
    expected_result: str = ""
    """What the step expects, which a recovery must not bring about."""
    may_replan: bool = False
    """Whether the rest of the case may be planned again."""
    may_wait: bool = False
    """Whether it may be tried again with more patience: it has acted on nothing."""
    may_retry: bool = False
    """Whether it may be tried again in another way: a model carried it out and has changed nothing."""


class EvaluateOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="evaluate"):
    """The decision about a failed step."""

    decision: Decision
    overruled: str = ""
    """What of the decision a rule does not allow; written when the result is accepted, whatever a worker says."""


class SummariseInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="summarise"):
    """The history of a run, to be summarised."""

    state: str = ""


class SummariseOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="summarise"):
    """A summary of the run's history."""

    state: str


class AssignInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="assign"):
    """What an agent is given beside its goal, which is the sub-task's description."""

    inputs: dict[str, str] = {}
    workspace: str = ""
    url: str = ""
    acceptance: tuple[str, ...] = ()
    """Expectations that must hold in the end, with the inputs filled in."""
    output_schema: dict[str, Any] = {}
    deliverable: Deliverable = ""
    rights: Rights = Rights()
    """What it may use at most, whatever its file says."""
    depth: int = 0
    """How deep sub-agents may be nested below it."""
    context: int = 0
    """Characters of the largest question to its model; 0: as its file says."""
    tier: TierName | None = None
    """The model that it asks; None: as its file says, or else its kind. `temperature` likewise, or else the tier."""
    temperature: Temperature | None = None
    domains: tuple[str, ...] = ()
    """Hosts that its browser may visit; empty: any."""
    hosts: tuple[str, ...] = ()
    """Hosts that it may ask and give secrets to."""
    secrets: tuple[str, ...] = ()
    event: str = ""
    may_start: tuple[str, ...] | None = None
    """Stored cases that it may start; None: it may not ask the fleet."""


class AssignOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="assign"):
    """What an agent has found and made, with the evidence for what was to hold in the end."""

    findings: tuple[Found, ...] = ()
    output: Any = None
    """As the schema wants it."""
    context: int = 0
    """Characters of the largest question to its model."""
    allowed: int = 0
    """The most tool calls that it might make: the least of its order and its file; 0: not told."""
    evidence: tuple[Evidence, ...] = ()
    acts: tuple[Act, ...] = ()


class NoopInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="noop"):
    """How long to do nothing."""

    wait_seconds: float = 0.0
    cpu_seconds: float = 0.0
    """Processor time to use."""


class NoopOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="noop"):
    """Nothing."""


class ExploreInput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="explore"):
    """A tour: the way to a state, and what to try there."""

    url: str = ""
    state: str = ""
    """Id of the state at the end of the path; empty: wherever the app begins."""
    path: tuple[Move, ...] = ()
    """From the start of the app."""
    shortcut: str = ""
    """An address that leads to the state as well, after the first `shortcut_after` steps of the path."""
    shortcut_after: int = 0
    moves: tuple[Move, ...] = ()
    policy: ExplorationPolicy = "coverage"
    """Which policy has chosen it."""
    seed: int = 0
    left: ExplorationSpent = ExplorationSpent()
    """What it may spend at most."""
    until: float = 0.0
    """Unix seconds after which no further move begins; 0: none."""
    goal: str = ""
    allow: tuple[str, ...] = ()
    values: dict[str, str] = {}
    secrets: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    slow_seconds: float = 5.0
    nodes: tuple[OwnNode, ...] = ()
    """Nodes that the team adds."""
    known: tuple[str, ...] = ()
    """Ids of states that need not be described again."""
    keys: tuple[str, ...] = ()
    """Keys by which the app is walked; empty: it is tapped."""


class ExploreOutput(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="explore"):
    """What a tour has seen: additions to the map."""

    broke_at: int = -1
    """Index of the step of the path that could not be repeated or led elsewhere; -1: the state was reached."""
    why: str = ""
    start: str = ""
    """Id of the state in which the app began."""
    trials: tuple[Trial, ...] = ()
    seen: tuple[Sighting, ...] = ()
    """Each state once, in the order in which they were seen."""
    findings: tuple[Finding, ...] = ()
    spent: ExplorationSpent = ExplorationSpent()


Input = (
    PlanInput
    | StepInput
    | EvaluateInput
    | CritiqueInput
    | ValidateInput
    | LocateInput
    | SummariseInput
    | AssignInput
    | ConverseInput
    | AnalyseInput
    | NoopInput
    | ExploreInput
)
Output = (
    PlanOutput
    | StepOutput
    | EvaluateOutput
    | CritiqueOutput
    | ValidateOutput
    | LocateOutput
    | SummariseOutput
    | AssignOutput
    | ConverseOutput
    | AnalyseOutput
    | NoopOutput
    | ExploreOutput
)


class Kind(NamedTuple):
    """One kind of sub-task."""

    name: str
    pool: Pool
    input: type[Struct]
    output: type[Struct]
    agent: str
    """Id of its default agent; empty: it has none."""
    tier: TierName | None
    """Its agents' default model; None: they use no model."""
    label: str
    """Its name for people: `Planning`, `Evaluation`."""
    planned: bool = False
    """Whether plans may contain it; the run adds other kinds, which do not count as progress."""
    numbered: bool = False
    """Whether its sub-tasks are titled with the label and a number, such as `Tour 3`."""


KINDS = (
    Kind("plan", "think", PlanInput, PlanOutput, "case-planner", "orchestrator", "Planning"),
    Kind("step", "act", StepInput, StepOutput, "step-runner", "sub_agent", "Step", planned=True),
    Kind("evaluate", "think", EvaluateInput, EvaluateOutput, "evaluator", "orchestrator", "Evaluation"),
    Kind("critique", "think", CritiqueInput, CritiqueOutput, "critic", "orchestrator", "Critique"),
    Kind("validate", "think", ValidateInput, ValidateOutput, "validator", "orchestrator", "Validation"),
    Kind("locate", "act", LocateInput, LocateOutput, "element-detector", "vision", "Detection"),
    Kind("summarise", "think", SummariseInput, SummariseOutput, "summariser", "orchestrator", "Summary"),
    Kind("assign", "think", AssignInput, AssignOutput, "researcher", "sub_agent", "Assignment", planned=True),
    Kind("converse", "think", ConverseInput, ConverseOutput, "assistant", "sub_agent", "Answer"),
    Kind("analyse", "think", AnalyseInput, AnalyseOutput, "analyzer", "orchestrator", "Analysis", planned=True),
    Kind("explore", "act", ExploreInput, ExploreOutput, "", None, "Tour", numbered=True),
    Kind("noop", "think", NoopInput, NoopOutput, "", None, "Drill", planned=True),
)
KINDS_BY_NAME = {kind.name: kind for kind in KINDS}
"""A kind that is missing here comes from another version, and no worker can run it."""
