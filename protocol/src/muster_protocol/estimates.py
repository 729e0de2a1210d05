"""Estimates of what a run will cost, and the costs of earlier steps that they are based on."""

from msgspec import Struct

from muster_protocol.tool_calls import Usage


class PastCosts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A row of the bucket `COSTS`: what a step, or the rest of a case, came to in its newest runs."""

    key: str
    samples: tuple[Usage, ...] = ()
    """Oldest first."""


class Estimate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a run will come to, as far as earlier runs of the same steps tell."""

    usage: Usage = Usage()
    """Of the known steps; `cost` by the prices that held when they ran."""
    steps: int = 0
    """How many steps and preconditions the case has."""
    unknown: tuple[int, ...] = ()
    """Numbers of the steps that never passed before, from 1; preconditions count first."""
    samples: int = 0
    """How often the step that was seen least has been seen, of those that were."""
    rest_known: bool = False
    """Whether planning, sessions and what else is no step is included."""
    unpriced: bool = False
    """Whether tokens were used for which there was no price, so that the cost is not known."""


class GoalEstimate(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an assignment will come to, with all that its agent asks of others."""

    usage: Usage = Usage()
    """The median of the newest that were done."""
    samples: int = 0
    """How many there were; 0: nothing is known."""
    same_goal: bool = False
    """Of the same goal; else of any goal of the agent."""
    unpriced: bool = False
    """Whether tokens were used for which there was no price."""
