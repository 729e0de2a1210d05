"""All phrases, and their rules compiled once."""

from collections.abc import Sequence

from muster_subagent.phrases.browser_actions import BROWSER_ACTIONS
from muster_subagent.phrases.engine import Calls, Parameter, Phrase, Rules, find
from muster_subagent.phrases.page_expectations import PAGE_EXPECTATIONS
from muster_subagent.phrases.parameters import PARAMETERS
from muster_subagent.phrases.preconditions import PRECONDITIONS
from muster_subagent.phrases.system_actions import SYSTEM_ACTIONS
from muster_subagent.phrases.system_expectations import SYSTEM_EXPECTATIONS
from muster_subagent.phrases.waiting import WAITING
from muster_subagent.phrases.words import Token, Words

EXPECTATIONS = Rules((*PAGE_EXPECTATIONS, *SYSTEM_EXPECTATIONS), PARAMETERS)


def _expectation(some: Words) -> Sequence[Calls]:
    """Read an expectation, also as "… to be visible"."""
    to = next((at for at, token in enumerate(some) if token.key == "to"), len(some))
    found = find(some, EXPECTATIONS) or find((*some[:to], *some[to + 1 :]), EXPECTATIONS)
    return [reading.calls for reading in found]


def _condition(some: Words) -> Sequence[Calls]:
    """Read an expectation, or what must be visible."""
    return _expectation(some) or _expectation((*some, Token("is visible", "")))


CONDITIONS = {
    "expectation": Parameter(r".+?", _expectation, "any expectation, also as `… to be visible`"),
    "condition": Parameter(r".+?", _condition, "any expectation, also as `… to be visible`; or what must be visible"),
}

ACTIONS = Rules((*BROWSER_ACTIONS, *SYSTEM_ACTIONS, *WAITING), PARAMETERS | CONDITIONS)
STATES = Rules(PRECONDITIONS, PARAMETERS)

PHRASES: tuple[Phrase, ...] = (
    *BROWSER_ACTIONS,
    *WAITING,
    *SYSTEM_ACTIONS,
    *PAGE_EXPECTATIONS,
    *SYSTEM_EXPECTATIONS,
    *PRECONDITIONS,
)
"""Every phrase, in the order people read them."""
