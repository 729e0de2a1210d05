"""The nodes of a tour and their rules as data: what follows, how often each is tried, where a failed one leads. Pure.

Setup and looking may be tried again; acting never: nobody knows what a click that failed has done. A team puts nodes of
its own between them (`OwnNode`).
"""

import zlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

from muster_protocol.explorations import OwnNode

NodeName = Literal[
    "EnsureDevice", "ProvisionApp", "LaunchOrAttach", "Perceive", "WaitIdle", "Choose", "Act", "Verify",
    "DismissDialog", "ReturnToApp", "Relaunch", "Unstick", "Finish", "GiveUp",
]  # fmt: skip
Category = Literal["setup", "main", "recovery", "terminal"]
FIRST: NodeName = "EnsureDevice"
LONGEST_PAUSE = 5.0
JITTER = 0.2
"""Largest share of a pause that is added to it."""


class NodeRule(NamedTuple):
    """What is to be done about a node."""

    category: Category
    then: str
    """What follows its success, unless it says otherwise itself."""
    attempts: int = 1
    backtrack: str = "GiveUp"
    """What follows when its attempts are used up."""


NODES: dict[str, NodeRule] = {
    "EnsureDevice": NodeRule("setup", "ProvisionApp", attempts=3),
    "ProvisionApp": NodeRule("setup", "LaunchOrAttach", attempts=3, backtrack="EnsureDevice"),
    "LaunchOrAttach": NodeRule("setup", "WaitIdle", attempts=3, backtrack="ProvisionApp"),
    "WaitIdle": NodeRule("main", "Perceive", attempts=3, backtrack="Unstick"),
    "Perceive": NodeRule("main", "Verify", attempts=3, backtrack="Unstick"),
    "Verify": NodeRule("main", "Choose"),
    "Choose": NodeRule("main", "Act"),
    "Act": NodeRule("main", "WaitIdle"),
    "DismissDialog": NodeRule("recovery", "WaitIdle", attempts=3, backtrack="Relaunch"),
    "ReturnToApp": NodeRule("recovery", "WaitIdle", backtrack="Relaunch"),
    "Unstick": NodeRule("recovery", "WaitIdle", backtrack="Relaunch"),
    "Relaunch": NodeRule("recovery", "ProvisionApp"),
    "Finish": NodeRule("terminal", "Finish"),
    "GiveUp": NodeRule("terminal", "GiveUp"),
}


def table_of(own: Sequence[OwnNode]) -> dict[str, NodeRule]:
    """Return the table with a team's nodes in it, under the keys that `own_key` makes of their names.

    Of several behind one node, each follows the one before.
    """
    table, last = dict(NODES), dict[str, str]()
    for node in own:
        before = last.get(node.after, node.after)
        rule = table[before]
        key = own_key(node)
        table[key] = NodeRule("main", node.then or rule.then, backtrack=node.backtrack)
        table[before] = rule._replace(then=key)
        last[node.after] = key
    return table


def own_key(node: OwnNode) -> str:
    """Return what the table calls a team's node, which never is the name of a built-in one."""
    return f"own {node.name}"


def pause_before(node: str, attempt: int, seed: int) -> float:
    """Return the seconds before a further attempt: one, doubling, five at most, with jitter from the seed."""
    jitter = zlib.crc32(f"{seed}|{node}|{attempt}".encode()) % 1000 / 1000 * JITTER
    return min(LONGEST_PAUSE, 2.0 ** max(0, attempt - 2) * (1 + jitter))
