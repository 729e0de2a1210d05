"""Passing a node that a team has added to the tours of its explorations."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from muster_exploration.tour_nodes import pause_before
from muster_protocol.explorations import OwnNode
from muster_subagent.exploring.screen_notes import Refused

MOST_PASSES = 10
"""How often one tour passes a node that has something to do there: it may lead back to itself."""


class Doing(NamedTuple):
    """What a node needs of its tour."""

    make: Callable[[str], Awaitable[None]]
    """Carries out a sentence; it raises Refused if that did not come out well."""
    holds: Callable[[str], Awaitable[bool]]
    """Checks whether an expectation holds now."""


async def pass_node(node: OwnNode, doing: Doing, seed: int) -> bool:
    """Do what a node says, if it has something to do here; return whether it had.

    Raises:
        Refused: a sentence did not come out well, or what is expected did not come. Nothing is done twice.
    """
    if node.when and not await doing.holds(node.when):
        return False
    for sentence in node.do:
        await doing.make(sentence)
    for attempt in range(1, node.attempts + 1):
        if attempt > 1:
            await asyncio.sleep(pause_before(node.name, attempt, seed))
        if not node.expect or await doing.holds(node.expect):
            return True
    raise Refused(f"this did not come: {node.expect}")
