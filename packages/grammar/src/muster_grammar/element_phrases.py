"""Phrases for what single elements of the page must be."""

from muster_grammar.element_kinds import CONTAINERS, FIELD_ROLES
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Comparison, Count, State
from muster_grammar.target_parser import Target, Within
from muster_protocol.tool_calls import ArgumentValue

OPPOSITES = {
    "enabled": "disabled",
    "disabled": "enabled",
    "checked": "unchecked",
    "unchecked": "checked",
    "expanded": "collapsed",
    "collapsed": "expanded",
    "editable": "readonly",
    "readonly": "editable",
}


def _visible(target: Target) -> Calls:
    return (call("check_visible", **target.arguments()),)


def _not_visible(target: Target) -> Calls:
    """Refuse a name that may be a description: its absence proves nothing."""
    return () if not target.sure else (call("check_visible", **target.arguments(), absent=True),)


def _count(count: Count, target: Target) -> Calls:
    """ "No" with one element in mind ("no "Save" button") is its absence, with many a count of none."""
    if count.none and not target.plural:
        return _not_visible(target)
    few = count.comparison == "at_most" or count.number == 0
    if few and not target.sure:
        return ()
    how: dict[str, ArgumentValue] = {"comparison": count.comparison} if count.comparison != "is" else {}
    return (call("check_count", **target.arguments(), count=count.number, **how),)


def _count_none(target: Target) -> Calls:
    return _count(Count("is", 0, none=True), target)


def _count_in(place: Within, count: Count, target: Target) -> Calls:
    return () if target.within else _count(count, target._replace(within=place))


def _count_there(count: Count, target: Target, place: Within) -> Calls:
    return _count_in(place, count, target)


def _visible_in(target: Target, place: Within) -> Calls:
    return () if target.within else _visible(target._replace(within=place))


def _not_visible_in(target: Target, place: Within) -> Calls:
    return () if target.within else _not_visible(target._replace(within=place))


def _count_text(text: str, number: int) -> Calls:
    return (call("check_count", element=text, count=number),)


def _value(target: Target, comparison: Comparison, text: str) -> Calls:
    """A container is compared by the texts in it, not by a value; what a list contains may as well be its options."""
    if target.noun in CONTAINERS:
        return ()
    if target.role == "combobox" and comparison.match == "contains":
        return ()
    return (call("check_value", **target.arguments(field=True), value=text, **comparison.arguments()),)


def _has_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=False), text)


def _has_not_value(target: Target, text: str) -> Calls:
    return _value(target._replace(noun=""), Comparison("is", negate=True), text)


def _value_of(target: Target, comparison: Comparison, text: str) -> Calls:
    return _value(target._replace(noun=""), comparison, text)


def _shows(target: Target, text: str) -> Calls:
    return _value(target, Comparison("contains", negate=False), text)


def _shows_not(target: Target, text: str) -> Calls:
    return _value(target, Comparison("contains", negate=True), text)


def _state(target: Target, state: State) -> Calls:
    """States without an opposite cannot be negated, but for "empty", which is a value."""
    arguments = target.arguments(field=True)
    if not state.negate:
        return (call("check_state", **arguments, state=state.name),)
    if state.name == "empty":
        return (call("check_value", **arguments, value="", negate=True),)
    opposite = OPPOSITES.get(state.name)
    return (call("check_state", **arguments, state=opposite),) if opposite else ()


def _chosen(text: str, target: Target) -> Calls:
    return (call("check_value", **target.arguments(field=True), value=text),) if _is_list(target) else ()


def _options(target: Target, options: tuple[str, ...]) -> Calls:
    return (call("check_options", **target.arguments(field=True), options=list(options)),) if _is_list(target) else ()


def _is_list(target: Target) -> bool:
    return not target.role or target.role in FIELD_ROLES


ELEMENTS: tuple[Phrase, ...] = (
    expectation(
        "{element} is visible",
        "The page shows {element}",
        build=_visible,
        description="An element is visible.",
        examples=(
            'The "Save" button is visible',
            'There is a heading "Welcome"',
            'I see the "Remove" link in the "Backpack" row',
            'The page has a "Log in" link',
        ),
    ),
    expectation(
        "{element} is not visible",
        build=_not_visible,
        description="An element is not visible, or not there.",
        examples=('The "Save" button is not visible', 'The "Busy" image disappears'),
    ),
    expectation(
        "The page does not show {elements}",
        build=_count_none,
        description="An element is not visible, or not there; of several, none is there.",
        examples=('There is no "Save" button', 'There are no rows in the "Cart" table', "I do not see the Save button"),
    ),
    expectation(
        "There are {count} {elements}",
        "{count} {elements} are visible",
        build=_count,
        description="Counts elements.",
        examples=(
            'There are 6 "Add to cart" buttons',
            'There are at least three rows in the "Cart" table',
            "I see exactly one heading",
            "At most 5 links are shown",
        ),
    ),
    expectation(
        "{count} {elements} are visible in/inside/within/on/of {place}",
        build=_count_there,
        description="Counts elements in a part of the page.",
        examples=('3 rows are shown in the "Cart" table',),
    ),
    expectation(
        "{element} is visible in/inside/within/on/of {place}",
        build=_visible_in,
        description="An element is visible in a part of the page.",
        examples=('The "Save" button is visible in the "Cart" section',),
    ),
    expectation(
        "{element} is not visible in/inside/within/on/of {place}",
        build=_not_visible_in,
        description="An element is not visible in a part of the page.",
        examples=('The "Save" button is not visible in the "Cart" section',),
    ),
    expectation(
        "{region} has/shows/contains {count} {elements}",
        build=_count_in,
        description="Counts elements in a part of the page.",
        examples=('The "Cart" table has 3 rows', 'The list "Wishes" has no items'),
    ),
    expectation(
        "The text {text} is visible {times}",
        "{text} is visible {times}",
        build=_count_text,
        description="Counts how often a text stands on the page.",
        examples=('The text "Sold out" appears 3 times',),
    ),
)


FIELDS: tuple[Phrase, ...] = (
    expectation(
        "{thing} {compare} {text}",
        build=_value,
        description="Compares the value of a field, or the text of an element.",
        examples=(
            'The total is "29.99"',
            'The "Total" field contains "29"',
            'The order number is not "0"',
            'The "Total" cell in the "Backpack" row starts with "$"',
        ),
    ),
    expectation(
        "{thing} has (the) value {text}",
        "{thing} has (the) text {text}",
        build=_has_value,
        description="Compares the value of a field, or the text of an element.",
        examples=('The "Quantity" field has the value "2"', '"Quantity" has the value 2'),
    ),
    expectation(
        "{thing} does not have (the) value {text}",
        build=_has_not_value,
        description="The value of a field, or the text of an element, is another one.",
        examples=('The "Quantity" field does not have the value "2"',),
    ),
    expectation(
        "The value/text of {thing} {compare} {text}",
        build=_value_of,
        description="Compares the value of a field, or the text of an element.",
        examples=('The value of the "Name" field is "Ada"', 'The text of "Total" matches "[0-9.]+"'),
    ),
    expectation(
        "{thing} shows {text}",
        build=_shows,
        description="The value of a field, or the text of an element, contains this.",
        examples=('The total shows "29.99"',),
    ),
    expectation(
        "{thing} does not show {text}",
        build=_shows_not,
        description="The value of a field, or the text of an element, does not contain this.",
        examples=('The total does not show "29.99"',),
    ),
    expectation(
        "{target} {state}",
        build=_state,
        description="The state of an element.",
        examples=(
            'The "Log in" button is enabled',
            'The "Express" radio button is checked',
            '"I accept the terms" is not checked',
            'The field "Name" is empty',
            'The "Name" field is not empty',
            'The "Search" field has the focus',
        ),
    ),
    expectation(
        "{text} is selected in/from/of/for {target}",
        build=_chosen,
        description="The option of a list that is selected.",
        examples=('"Bags" is selected in "Category"',),
    ),
    expectation(
        "{target} has the option/options {options}",
        "{target} offers (the) {options}",
        build=_options,
        description="A list offers these options, and maybe more.",
        examples=('The list "Size" has the option "M"', 'The "Size" dropdown has the options "S", "M" and "L"'),
    ),
)
