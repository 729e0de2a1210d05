"""Plans: the graph of sub-tasks that a run works through."""

from msgspec import Struct

from muster_protocol.requests import MAIN


class PlanNode(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sub-task of a plan."""

    id: str
    needs: tuple[str, ...] = ()
    """Ids of the nodes that must be done before it."""
    covers: tuple[int, ...] = ()
    """Indexes (from 0) of the written steps that it carries out; empty for preconditions and added steps."""
    description: str
    """What to do, as written."""
    expected_result: str = ""
    """The expectation, copied verbatim from the written step."""
    checkpoint: str = ""
    """What a planner expects after a part of a step, or what it has added; false, it stops the run early. It proves
    nothing."""
    kind: str = "step"
    session: str = MAIN
    precondition: bool = False


class Plan(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The nodes of a run, in planned order."""

    nodes: tuple[PlanNode, ...]
