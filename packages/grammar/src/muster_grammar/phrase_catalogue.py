"""All phrases, and their rules compiled once."""

from collections.abc import Iterable, Sequence

from muster_grammar.amount_phrases import AMOUNTS
from muster_grammar.checkbox_phrases import CHECKBOXES
from muster_grammar.claim_words import (
    of_files,
    of_plain_parts,
    of_states,
    of_titles,
    of_tooltips,
    of_values,
    unslashed,
    with_plain_state,
)
from muster_grammar.column_phrases import COLUMNS
from muster_grammar.comparison_phrases import GROUPS, TRAITS
from muster_grammar.compounds import PAGE_ENDINGS, SEES, trimmed
from muster_grammar.console_phrases import CONSOLE
from muster_grammar.count_phrases import COUNTS
from muster_grammar.element_phrases import ELEMENTS
from muster_grammar.engine import Calls, Parameter, Phrase, Reading, Rules, find
from muster_grammar.field_phrases import FIELDS
from muster_grammar.form_phrases import FORMS
from muster_grammar.group_parameters import GROUP_PARAMETERS
from muster_grammar.item_phrases import ITEMS
from muster_grammar.keyboard_phrases import KEYBOARD
from muster_grammar.leaving_phrases import LEAVING
from muster_grammar.list_phrases import LISTS
from muster_grammar.made_phrases import DAYS, MADE, MADE_PARAMETERS
from muster_grammar.name_parameters import NAME_PARAMETERS
from muster_grammar.named_pages import NAMED_PAGES
from muster_grammar.navigation_phrases import DIALOGS, NAVIGATION
from muster_grammar.option_phrases import OPTIONS
from muster_grammar.order_phrases import ORDERS
from muster_grammar.pace_phrases import PACES
from muster_grammar.page_phrases import PAGES
from muster_grammar.pattern_parameters import PARAMETERS
from muster_grammar.phone_phrases import PHONE_PARAMETERS, PHONES
from muster_grammar.pointer_phrases import POINTING
from muster_grammar.precondition_phrases import PRECONDITIONS
from muster_grammar.scroll_phrases import SCROLLING
from muster_grammar.spoken_values import SPOKEN
from muster_grammar.state_phrases import ELEMENT_STATES, STATE_PARAMETERS
from muster_grammar.step_phrases import STEP_PARAMETERS, STEPS
from muster_grammar.system_actions import SYSTEM_ACTIONS
from muster_grammar.system_expectations import SYSTEM_EXPECTATIONS
from muster_grammar.text_phrases import TEXTS
from muster_grammar.tokens import Token, Words
from muster_grammar.transfer_phrases import TRANSFERS
from muster_grammar.waiting_phrases import WAITING

_ACTIONS = (
    *NAVIGATION,
    *POINTING,
    *SCROLLING,
    *PHONES,
    *KEYBOARD,
    *LEAVING,
    *FORMS,
    *TRANSFERS,
    *CHECKBOXES,
    *SPOKEN,
    *MADE,
    *DIALOGS,
    *WAITING,
    *SYSTEM_ACTIONS,
)
_EXPECTATIONS = (
    *PAGES,
    *NAMED_PAGES,
    *TEXTS,
    *PACES,
    *ELEMENTS,
    *COUNTS,
    *COLUMNS,
    *LISTS,
    *ITEMS,
    *FIELDS,
    *ELEMENT_STATES,
    *OPTIONS,
    *STEPS,
    *AMOUNTS,
    *GROUPS,
    *ORDERS,
    *DAYS,
    *TRAITS,
    *CONSOLE,
    *SYSTEM_EXPECTATIONS,
)

ALL_PARAMETERS = (
    PARAMETERS
    | GROUP_PARAMETERS
    | MADE_PARAMETERS
    | NAME_PARAMETERS
    | PHONE_PARAMETERS
    | STATE_PARAMETERS
    | STEP_PARAMETERS
)

EXPECTATIONS = Rules(_EXPECTATIONS, ALL_PARAMETERS)


def find_claims(some: Words) -> tuple[Reading, ...]:
    """Return the readings of words as one claim."""
    found = _found(some)
    plain = with_plain_state(some)
    return of_states(some, found, _found(plain)) if plain else found


def _found(some: Words) -> tuple[Reading, ...]:
    said = unslashed(some)
    found = of_plain_parts(said, of_values(said, find(said, EXPECTATIONS)))
    return of_titles(said, of_files(said, of_tooltips(said, found)))


def _expectation(some: Words) -> Sequence[Calls]:
    """Read an expectation, also as "… to be visible"."""
    to = next((at for at, token in enumerate(some) if token.key == "to"), len(some))
    seen = trimmed(some, SEES, PAGE_ENDINGS)
    found = find_claims(seen) or find_claims((*some[:to], *some[to + 1 :]))
    return [reading.calls for reading in found]


def _condition(some: Words) -> Sequence[Calls]:
    """Read an expectation, or what must be visible."""
    return _expectation(some) or _expectation((*some, Token("is visible", "")))


CONDITIONS = {
    "expectation": Parameter(r".+?", _expectation, "any expectation, also as `… to be visible`"),
    "condition": Parameter(r".+?", _condition, "any expectation, also as `… to be visible`; or what must be visible"),
}

ACTIONS = Rules(_ACTIONS, ALL_PARAMETERS | CONDITIONS)
STATES = Rules(PRECONDITIONS, ALL_PARAMETERS)

PHRASES: tuple[Phrase, ...] = (*_ACTIONS, *_EXPECTATIONS, *PRECONDITIONS)
"""Every phrase, in the order people read them."""


def find_phrases(words: Iterable[str]) -> list[Phrase]:
    """Return the phrases that have each of the words somewhere: in pattern, description or examples."""
    wanted = [word.lower() for word in words]
    return [phrase for phrase in PHRASES if all(word in _text_of(phrase) for word in wanted)]


def _text_of(phrase: Phrase) -> str:
    return " ".join((phrase.kind, phrase.pattern, phrase.description, *phrase.examples)).lower()
