"""All phrases, and their rules compiled once."""

from collections.abc import Sequence

from muster_subagent.phrases.elements import ELEMENTS, FIELDS
from muster_subagent.phrases.engine import Calls, Parameter, Phrase, Rules, find
from muster_subagent.phrases.forms import FORMS
from muster_subagent.phrases.navigation import DIALOGS, NAVIGATION
from muster_subagent.phrases.parameters import PARAMETERS
from muster_subagent.phrases.pointing import KEYBOARD, POINTING
from muster_subagent.phrases.preconditions import PRECONDITIONS
from muster_subagent.phrases.system_actions import SYSTEM_ACTIONS
from muster_subagent.phrases.system_expectations import SYSTEM_EXPECTATIONS
from muster_subagent.phrases.texts import PAGES, TEXTS
from muster_subagent.phrases.waiting import WAITING
from muster_subagent.phrases.words import Token, Words

_ACTIONS = (*NAVIGATION, *POINTING, *KEYBOARD, *FORMS, *DIALOGS, *WAITING, *SYSTEM_ACTIONS)
_EXPECTATIONS = (*PAGES, *TEXTS, *ELEMENTS, *FIELDS, *SYSTEM_EXPECTATIONS)

EXPECTATIONS = Rules(_EXPECTATIONS, PARAMETERS)


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

ACTIONS = Rules(_ACTIONS, PARAMETERS | CONDITIONS)
STATES = Rules(PRECONDITIONS, PARAMETERS)

PHRASES: tuple[Phrase, ...] = (*_ACTIONS, *_EXPECTATIONS, *PRECONDITIONS)
"""Every phrase, in the order people read them."""
