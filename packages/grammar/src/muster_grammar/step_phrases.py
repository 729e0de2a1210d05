"""Phrases for what is the current one of several: a step, a tab, an entry of a menu."""

from muster_grammar.engine import Calls, Parameter, Phrase, expectation
from muster_grammar.other_nouns import described
from muster_grammar.pattern_parameters import State
from muster_grammar.state_phrases import state_of
from muster_grammar.target_parser import Target
from muster_grammar.tokens import LITERAL, Words
from muster_grammar.vocabulary import split

_ROLES = {"tab": "tab", "link": "link", "menuitem": "menuitem", "option": "option", "radio": "radio"}
_PAGE = "page"
_STEPS = split("step stage phase")
_CURRENT = "(?:current|active|selected|highlighted)"


def _current(some: Words) -> tuple[Target, ...]:
    noun = some[-1].key
    if noun == _PAGE:
        return (Target("", _PAGE, noun=noun),)
    known = noun in _ROLES or not _STEPS.isdisjoint((noun, some[-1].text.lower()))
    return (Target("", _ROLES.get(noun, ""), noun=noun),) if known else ()


def _step(some: Words) -> tuple[Target, ...]:
    entry = {some[0].key: some[1], some[-1].key: some[0]}.get("menuitem")
    if entry is not None and entry.key == LITERAL:
        return (Target(entry.text, "menuitem", noun="menuitem"),)
    number = {some[0].key: some[1], some[-1].key: some[0]}.get(_PAGE)
    if number is not None and number.text.isdigit():
        return (Target(number.text, _PAGE, noun=_PAGE),)
    return tuple(Target(text, noun=noun) for text, noun in described(some, seen=True) if noun in _STEPS)


STEP_PARAMETERS = {
    "current": Parameter(rf"{_CURRENT} \S+", _current, "`the current step`, `the active tab`, `the selected link`"),
    "step": Parameter(
        r'(?:"|\S+) (?:"|\S+)', _step, 'a step, a menu item or a numbered page: `the "Payment" step`, `page "2"`'
    ),
}


def _is_current(target: Target) -> Calls:
    return state_of(target, State("selected", negate=False))


def _is_not_current(target: Target) -> Calls:
    return state_of(target, State("selected", negate=True))


def _is_the_current(text: str, kind: Target) -> Calls:
    if kind.role == _PAGE and not text.isdigit():  # a page may be called so
        return ()
    return _is_current(kind._replace(element=text))


def _is_not_the_current(text: str, kind: Target) -> Calls:
    if kind.role == _PAGE and not text.isdigit():
        return ()
    return _is_not_current(kind._replace(element=text))


def _current_is(kind: Target, text: str) -> Calls:
    """A "current step" may be a label, too: "Current step: 2"."""
    if not kind.role or kind.role == _PAGE:
        return ()
    return _is_the_current(text, kind)


STEPS: tuple[Phrase, ...] = (
    expectation(
        "{step} is (marked) (as) current/active/selected/highlighted",
        "{step} is (the) current/active one",
        build=_is_current,
        description="The page marks a step as the current one, for example by `aria-current`.",
        examples=('The "Payment" step is active', 'Page "2" is active', 'The step "Payment" is marked as current'),
    ),
    expectation(
        "{step} is not (marked) (as) current/active/selected/highlighted",
        build=_is_not_current,
        description="The page marks another step as the current one.",
        examples=('The "Payment" step is not active',),
    ),
    expectation(
        "{quoted} is {current}",
        build=_is_the_current,
        description="The page marks this step, tab, link or entry as the current one.",
        examples=('"Payment" is the current step', '"Details" is the selected tab'),
    ),
    expectation(
        "{quoted} is not {current}",
        build=_is_not_the_current,
        description="The page marks another step, tab, link or entry as the current one.",
        examples=('"Payment" is not the current step',),
    ),
    expectation(
        "{current} is {quoted}",
        build=_current_is,
        description="The page marks this tab, link, entry or option as the current one.",
        examples=('The active tab is "Details"', 'The selected option is "Express"'),
    ),
)
