"""The state of a test case."""

from msgspec import Struct

from muster_orchestrator.machine.jobs.test_case.whereabouts import Whereabouts
from muster_protocol.examiner_work import CritiqueOutput
from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan


class Fact(Struct, frozen=True):
    """What later sub-tasks learn of one that passed; without a node, a summary of several."""

    node: str
    text: str


class Risk(Struct, frozen=True):
    """A sub-task that cannot be taken back, and what is risky about it."""

    node: str
    text: str


class TestCaseState(Struct, frozen=True, kw_only=True, tag_field="type", tag="test_case"):
    """The plan, and what its steps have captured and done."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it

    hosts: tuple[str, ...] = ()
    """Hosts that the case itself names."""
    plan: Plan | None = None
    sessions: tuple[str, ...] = ()
    """Sessions that the plan uses."""
    refusals: tuple[str, ...] = ()
    thinks: bool = False
    """Whether the workers have a model; true if a model made the plan."""
    captured: dict[str, dict[str, str]] = {}
    """Values by the node that captured them; nodes that captured none are left out."""
    facts: tuple[Fact, ...] = ()
    whereabouts: dict[str, Whereabouts] = {}
    """Where each session stands, by its name."""
    critiques: tuple[CritiqueOutput, ...] = ()
    risks: tuple[Risk, ...] = ()
    """What a person is asked about before it begins, in the order in which it came up."""
    shown_risks: int = 0
    """How many of these were in a plan that a person is asked to approve anyhow."""
    unvalidated: tuple[str, ...] = ()
    """Nodes that have passed and wait for the validator."""
    decisions: tuple[Decision, ...] = ()
    replan_reason: str = ""
    """Why an evaluator has the rest of the case planned again."""
    closings: tuple[str, ...] = ()
    """Nodes by which rules close what is in the way."""
