"""Tells people which node a tour is at, what led there, and when it goes on; never so often that it costs the tour."""

import time
from collections.abc import Callable

from muster_exploration.tour_nodes import NodeRule
from muster_protocol.logs import Transition
from muster_subagent.fleet_time import fleet_time

RARELY = 0.3
"""Seconds between two ordinary transitions that are told: nobody reads faster. What is out of the ordinary is told."""

Tell = Callable[[Transition], None]


class TourTransitions:
    """The transitions of one tour; `mask` takes secrets out of what was said."""

    def __init__(self, tell: Tell, mask: Callable[[str], str]) -> None:
        self._tell, self._mask, self._told = tell, mask, 0.0

    def passed(self, node: str, rule: NodeRule, target: str, category: str) -> None:
        """A node has done its work; `category` is that of the next one."""
        if category == "main" and target == rule.then and time.monotonic() < self._told + RARELY:
            return
        self._told = time.monotonic()
        guard = "then" if target == rule.then else "the node chose"
        self._tell(Transition(source=node, target=target, guard=guard))

    def again(self, node: str, rule: NodeRule, attempt: int, why: str, pause: float) -> None:
        """A node is tried once more after a pause (seconds)."""
        guard = f"attempt {attempt} of {rule.attempts}"
        until = fleet_time() + pause
        self._tell(Transition(source=node, target=node, guard=guard, reason=self._mask(why), until=until))

    def failed(self, node: str, rule: NodeRule, target: str, why: str) -> None:
        """A node has used up its attempts."""
        guard = "backtrack" if target == rule.backtrack else "too many recoveries or restarts"
        self._tell(Transition(source=node, target=target, guard=guard, reason=self._mask(why)))
