"""Plans: the graph of sub-tasks that a run works through."""

from msgspec import Struct

from muster_protocol.requests import MAIN


class PlanNode(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One node: who does what once which other nodes are done."""

    id: str
    needs: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    """Indexes (from 0) of the written steps this node carries out; empty for preconditions and added steps."""
    description: str
    """What to do, as written."""
    expected_result: str = ""
    """The expectation, copied verbatim from the written step."""
    kind: str = "step"
    session: str = MAIN
    precondition: bool = False


class Plan(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The nodes of a run, in the order they were planned."""

    nodes: tuple[PlanNode, ...]
