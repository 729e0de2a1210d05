"""What a test case keeps of its run for itself."""

from msgspec import Struct

from muster_protocol.kinds import Decision
from muster_protocol.plans import Plan


class Fact(Struct, frozen=True):
    """What later sub-tasks are told of one that passed; without a node it sums up several."""

    node: str
    text: str


class TestCaseState(Struct, frozen=True, kw_only=True, tag_field="type", tag="test_case"):
    """The plan and what was learnt on the way."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it

    hosts: tuple[str, ...] = ()
    """Those that the case names in its own words."""
    plan: Plan | None = None
    sessions: tuple[str, ...] = ()
    """Those the plan works in."""
    refusals: tuple[str, ...] = ()
    thinks: bool = False
    """Whether the workers have a model: the plan was made by one."""
    captured: dict[str, dict[str, str]] = {}
    """Values by the node that captured them; nodes that captured none are left out."""
    facts: tuple[Fact, ...] = ()
    decisions: tuple[Decision, ...] = ()
