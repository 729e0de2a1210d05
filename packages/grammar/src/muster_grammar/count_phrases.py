"""Phrases that count elements and texts."""

from muster_grammar.element_kinds import HELD
from muster_grammar.element_phrases import is_hidden
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count
from muster_grammar.target_parser import Target, Within
from muster_protocol.tool_calls import ArgumentValue

_UNMARKED = frozenset(("", "dialog", *HELD))
"""Roles of what a page may hold without marking it as such; one dialog at most is open."""


def count_of(count: Count, target: Target) -> Calls:
    """ "No" with one element in mind ("no "Save" button") is its absence, with any of a kind a count of none."""
    if count.none and not (target.plural or _is_any(target)):
        return is_hidden(target)
    few = count.comparison == "at_most" or count.number == 0
    if few and not (target.sure or _is_any(target)):
        return ()
    how: dict[str, ArgumentValue] = {"comparison": count.comparison} if count.comparison != "is" else {}
    return (call("check_count", **target.arguments(), count=count.number, **how),)


def _is_any(target: Target) -> bool:
    """Return whether nothing but its kind tells a thing: "no checkbox" is none of them."""
    return target == Target("", target.role, noun=target.noun, sure=target.sure) and target.role not in _UNMARKED


def _count_none(target: Target) -> Calls:
    return count_of(Count("is", 0, none=True), target)


def _count_in(place: Within, count: Count, target: Target) -> Calls:
    return () if target.within else count_of(count, target._replace(within=place))


def _count_held(place: Within, count: Count, target: Target) -> Calls:
    """That a name in quotes has none of a kind may be said of a number beside it."""
    return _count_in(place, count, target) if count.number or count.none else ()


def _count_there(count: Count, target: Target, place: Within) -> Calls:
    return _count_in(place, count, target)


def _shows_counted(place: Within, count: Count, target: Target) -> Calls:
    """ "With no rows" is said of a table that is there."""
    return _count_in(place, count, target) if target.plural or count.number else ()


def _count_text(text: str, number: int, within: Within = "") -> Calls:
    place: dict[str, ArgumentValue] = {"within": within} if within else {}
    return (call("check_count", element=text, **place, count=number),)


def _count_of_text(count: Count, text: str) -> Calls:
    """At most so many, or none, of what is no kind of element counts what the page may never have."""
    return _count_text(text, count.number) if count.comparison == "is" and count.number > 0 else ()


def _count_at_most(count: Count, target: Target) -> Calls:
    return count_of(count._replace(comparison="at_most"), target) if count.comparison == "is" else ()


def _count_at_least(count: Count, target: Target) -> Calls:
    return count_of(count._replace(comparison="at_least"), target) if count.comparison == "is" else ()


def _number_of(target: Target, count: Count) -> Calls:
    return count_of(count, target._replace(plural=True))


def _any_with(target: Target, text: str) -> Calls:
    return _count_with(Count("at_least", 1), target, text)


def _count_with(count: Count, target: Target, text: str) -> Calls:
    """How many of a kind have a text: those that are known by it."""
    if count.none or target.element or not target.role:  # "no row contains" is a claim about each row
        return ()
    return count_of(count, target._replace(element=text, sure=True))


COUNTS: tuple[Phrase, ...] = (
    expectation(
        "The page does not show {elements}",
        build=_count_none,
        description="An element is not visible, or not there; of several, none is there.",
        examples=('There is no "Save" button', 'There are no rows in the "Cart" table', "I do not see the Save button"),
    ),
    expectation(
        "There are {count} {elements}",
        "There are {count} {elements} left/remaining/overall",
        "There are {count} {elements} in total",
        "{count} {elements} are left/remaining",
        "I have {count} {elements}",
        "{count} {elements} are visible",
        build=count_of,
        description="Counts elements.",
        examples=(
            'There are 6 "Add to cart" buttons',
            'There are at least three rows in the "Cart" table',
            "I see exactly one heading",
            "At most 5 links are shown",
        ),
    ),
    expectation(
        "{count} {elements} are visible in/inside/within/on/of {spot}",
        "{count} {elements} are in/inside/within {spot}",
        build=_count_there,
        description="Counts elements in a part of the page.",
        examples=('3 rows are shown in the "Cart" table',),
    ),
    expectation(
        "There are {count} {elements} at most",
        "There are {count} {elements} or less/fewer",
        build=_count_at_most,
        description="Counts elements.",
        examples=("There are 3 rows or less",),
    ),
    expectation(
        "There are {count} {elements} at least",
        "There are {count} {elements} or more",
        build=_count_at_least,
        description="Counts elements.",
        examples=("There are 3 rows or more",),
    ),
    expectation(
        "The number/count of {elements} is {count}",
        build=_number_of,
        description="Counts elements.",
        examples=('The number of rows in the "Cart" table is 3',),
    ),
    expectation(
        "Any {elements} contain/show {text}",
        build=_any_with,
        description="At least one element of a kind has a text.",
        examples=('Any row contains "Milk"',),
    ),
    expectation(
        "{count} {elements} contain/show {text}",
        "{count} {elements} has (the) text {text}",
        build=_count_with,
        description="Counts the elements of a kind that have a text.",
        examples=('Exactly one row contains "Milk"', 'At least two items show "Sold out"'),
    ),
    expectation(
        "{region} has/shows/contains {count} {elements}",
        "{region} consists of {count} {elements}",
        "{region} lists {count} {elements}",
        "{region} has/shows/contains {count} {elements} only",
        build=_count_in,
        description="Counts elements in a part of the page.",
        examples=('The "Cart" table has 3 rows', 'The list "Wishes" has no items'),
    ),
    expectation(
        "{spot} has/shows/contains {count} {elements}",
        "{place} has/shows/contains {count} {elements} only",
        build=_count_held,
        description="Counts elements in what a name tells; that it has 0 of them may be said of a number beside it.",
        examples=('"Wishes" has 2 items',),
    ),
    expectation(
        "The page shows {region} with {count} {elements}",
        "{region} is visible with {count} {elements}",
        build=_shows_counted,
        description="Counts elements in a part of the page.",
        examples=('I see the "Cart" table with 3 rows',),
    ),
    expectation(
        "There are {count} {entries}",
        "I have {count} {entries}",
        "{count} {entries} are visible",
        build=count_of,
        description="Counts the rows of a table, or the items of a list, by what they are.",
        examples=("There are 3 records in the table", 'I see at least one result in the "Hits" list'),
    ),
    expectation(
        "The text {text} is visible {times}",
        "{text} is visible {times}",
        "The page shows {text} {times}",
        build=_count_text,
        description="Counts how often a text stands on the page.",
        examples=('The text "Sold out" appears 3 times',),
    ),
    expectation(
        "{text} is visible {times} in/inside/within/on {spot}",
        "The page shows {text} {times} in/inside/within/on {spot}",
        build=_count_text,
        description="Counts how often a text stands in a part of the page.",
        examples=('"Ada" appears once in the table',),
    ),
    expectation(
        "There are {count} {quoted}",
        "The page shows {count} {quoted}",
        build=_count_of_text,
        description="Counts how often a text stands on the page.",
        examples=('There are 2 "Sold out"',),
    ),
)
