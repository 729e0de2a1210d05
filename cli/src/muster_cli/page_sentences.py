"""The sentences one could write about an element of a page. Pure.

They are proposals: whoever prints one makes sure first that it is read, and finds this very element.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import islice, takewhile
from typing import NamedTuple
from urllib.parse import urlsplit

from muster_cases.case_fields import quoted
from muster_devices.screen import Element, Place
from muster_text.element_roles import LISTS, TOGGLES, TYPED
from muster_text.text_match import squash

LONGEST = 120
"""Characters of a name or text that is proposed; longer ones are no names."""
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
PRESSED = ("button", "link", "tab", "menuitem", "option")
NOUNS = {
    **{role: role for role in (*PRESSED, *TOGGLES, "heading", "slider")},
    **dict.fromkeys(TYPED, "field"),
    **{"combobox": "dropdown", "listbox": "list"},
    **{"radio": "radio button", "menuitem": "menu item", "img": "image", "image": "image"},
}
"""What a tester calls the elements that sentences speak of, by role."""
CONTAINERS = {
    **{"row": "row", "listitem": "item", "dialog": "dialog", "form": "form"},
    **dict.fromkeys(("article", "region", "group", "navigation", "complementary", "tabpanel"), "section"),
}
"""What a tester calls what holds elements, by role."""
MOST_PLACES = 4
"""Names that are tried for what holds an element."""
LOOKED_AT = 50
"""Elements that may give such a name: the first ones in it."""


class Spot(NamedTuple):
    """Where an element stands."""

    part: str = "section"
    """What a tester calls what holds it."""
    places: tuple[str, ...] = ()
    """What may name that: its own name, and what else stands in it."""
    number: int = 1
    """From 1 in reading order, among those of its role and name."""


def spots(elements: Sequence[Element]) -> Iterator[Spot]:
    """Yield where each element stands, `elements` being all of a screen."""
    before = Counter[tuple[str, str]]()
    for at, element in enumerate(elements):
        before[element.role, element.name] += 1
        number = before[element.role, element.name]
        holder = next(_above(elements, at, CONTAINERS), None)
        yield Spot(number=number) if holder is None else _within(elements, holder, element)._replace(number=number)


def _within(elements: Sequence[Element], holder: int, element: Element) -> Spot:
    """Return an element's place in what holds it: the index of that, and all that it holds, give the names."""
    level = elements[holder].level
    inside = takewhile(lambda one: one.level > level, elements[holder + 1 :])
    names = (one.name or one.text for one in (elements[holder], *islice(inside, LOOKED_AT)))
    other = dict.fromkeys(name for name in names if is_name(name) and name != element.name)
    return Spot(CONTAINERS[elements[holder].role], tuple(islice(other, MOST_PLACES)))


def _above(elements: Sequence[Element], at: int, roles: Container[str]) -> Iterator[int]:
    """Yield the indexes of what holds an element, from the inside out."""
    level = elements[at].level
    for index in range(at - 1, -1, -1):
        if elements[index].level < level:
            level = elements[index].level
            if elements[index].role in roles:
                yield index


def is_name(text: str) -> bool:
    """Return whether a text can be a name in a sentence."""
    return bool(text.strip()) and len(squash(text)) <= LONGEST


def wordings(element: Element, spot: Spot) -> Iterator[str]:
    """Yield the ways to say which element is meant, as in `the "Log in" button`, the plainest first."""
    if element.role not in NOUNS or not is_name(element.name):
        return
    what = f"{_literal(element.name)} {NOUNS[element.role]}"
    yield f"the {what}"
    yield from (f"the {what} in the {_literal(place)} {spot.part}" for place in spot.places)
    if spot.number <= len(ORDINALS):
        yield f"the {ORDINALS[spot.number - 1]} {what}"


def probe(what: str) -> str:
    """Return an action that any element can be the target of, to see which one is meant."""
    return f"Hover over {what}"


def actions(element: Element, what: str) -> Iterator[str]:
    """Yield what can be done with an element now."""
    if not element.states.enabled:
        return
    if element.role in PRESSED:
        yield f"Click {what}"
    elif element.role in TYPED and not element.states.readonly:
        yield f'Type "{1 if element.role == "spinbutton" else "…"}" into {what}'
    elif element.role in LISTS and element.options:
        choice = next((option for option in element.options if option != element.value), element.options[0])
        yield f"Select {_literal(choice)} in {what}"
    elif element.role in LISTS:
        yield f"Click {what}"
    elif element.role in TOGGLES:
        yield f"{'Uncheck' if element.states.checked and element.role != 'radio' else 'Check'} {what}"


def claim(element: Element, what: str) -> str:
    """Return what is so of an element now."""
    return f"T{what[1:]} {_predicate(element)}"


def _predicate(element: Element) -> str:
    if not element.states.enabled:
        return "is disabled"
    if element.role in TOGGLES:
        return "is checked" if element.states.checked else "is not checked"
    if element.role in TYPED | LISTS and not element.secret and element.value is not None:
        value = squash(element.value)
        if not value:
            return "is empty"
        if len(value) <= LONGEST:
            return f"has the value {_literal(value)}"
    return "is visible"


def text_claim(text: str) -> str:
    """Return that a text is there."""
    return f"The text {_literal(text)} is visible"


def page_claims(place: Place) -> Iterator[str]:
    """Yield what one could say of a page as a whole: its title, and the path of its address."""
    if is_name(place.title):
        yield f"The page title is {_literal(place.title)}"
    path = urlsplit(place.address).path
    if len(path) > 1 and is_name(path):
        yield f"The URL contains {_literal(path)}"


def _literal(text: str) -> str:
    return quoted(squash(text))
