"""Phrases for what single elements of the page must be."""

from msgspec.structs import replace

from muster_grammar.element_kinds import DRAWN, FIELD_NOUNS, KINDS, PARTS, SECTIONS
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count
from muster_grammar.target_parser import Target, Within
from muster_grammar.vocabulary import split
from muster_protocol.tool_calls import ArgumentValue

_ALWAYS_USABLE = split("link tab heading image row cell listitem option menuitem table")
"""Roles of what is hardly ever disabled."""


def is_shown(target: Target) -> Calls:
    """Return the check that an element can be seen; of what is no kind of element, that its text can.

    A menu is not the button that opens it.
    """
    if _is_mere_description(target) or target.noun in DRAWN:
        return ()
    if target.noun == "menu" or (target.noun == "logo" and target.element != "logo"):
        target = target._replace(role="menu" if target.noun == "menu" else "image")
    if target.noun in PARTS and not target.role:
        target = target._replace(role=PARTS[target.noun])
    if target.noun in KINDS or not target.noun:
        return (call("check_visible", **target.arguments()),)
    place: dict[str, ArgumentValue] = {"within": target.within} if target.within else {}
    return (call("check_text", text=target.element, **place),) if target.element and not target.ordinal else ()


def _available(target: Target) -> Calls:
    return is_shown(target) if target.role in _ALWAYS_USABLE else ()


def _is_mere_description(target: Target) -> bool:
    """Whether words before a noun only say what people call it: "the suggestion box", "the browser print dialog".

    Any text with such words would do for it. A field is found by its label, a part of the page by its heading.
    """
    if target.role == "dialog" and "browser" in target.element.lower().split():  # it is none of the page
        return True
    told = target.sure or target.role or target.trait or not target.element or target.ordinal
    return not told and bool(target.noun) and target.noun not in {"logo", *FIELD_NOUNS, *SECTIONS}


def is_hidden(target: Target) -> Calls:
    """Return the check that an element is hidden; refuse what may only describe: its absence proves nothing."""
    shown = is_shown(target) if target.sure else ()
    return tuple(replace(check, arguments={**check.arguments, "absent": True}) for check in shown)


def count_of(count: Count, target: Target) -> Calls:
    """ "No" with one element in mind ("no "Save" button") is its absence, with many a count of none."""
    if count.none and not target.plural:
        return is_hidden(target)
    few = count.comparison == "at_most" or count.number == 0
    if few and not target.sure:
        return ()
    how: dict[str, ArgumentValue] = {"comparison": count.comparison} if count.comparison != "is" else {}
    return (call("check_count", **target.arguments(), count=count.number, **how),)


def _count_none(target: Target) -> Calls:
    return count_of(Count("is", 0, none=True), target)


def _count_in(place: Within, count: Count, target: Target) -> Calls:
    return () if target.within else count_of(count, target._replace(within=place))


def _count_held(place: Within, count: Count, target: Target) -> Calls:
    """That a name in quotes has none of a kind may be said of a number beside it."""
    return _count_in(place, count, target) if count.number or count.none else ()


def _count_there(count: Count, target: Target, place: Within) -> Calls:
    return _count_in(place, count, target)


def _visible_in(target: Target, place: Within) -> Calls:
    return () if target.within else is_shown(target._replace(within=place))


def _not_visible_in(target: Target, place: Within) -> Calls:
    return () if target.within else is_hidden(target._replace(within=place))


def place_shows(place: Within, target: Target) -> Calls:
    """Return the check that an element is visible in a part; what a list offers as an option need not be."""
    return _visible_in(target, place) if _is_one_shown(target) else ()


def _dialog_shows(target: Target) -> Calls:
    return place_shows(["in dialog"], target)


def _dialog_titled(text: str) -> Calls:
    return is_shown(Target(text, "dialog", noun="dialog", exact=True)) if text else ()


def _place_shows_not(place: Within, target: Target) -> Calls:
    return _not_visible_in(target, place) if _is_one_shown(target) else ()


def _is_one_shown(target: Target) -> bool:
    return bool(target.element) and target.role != "option"


def _shows_counted(place: Within, count: Count, target: Target) -> Calls:
    """ "With no rows" is said of a table that is there."""
    return _count_in(place, count, target) if target.plural or count.number else ()


def _count_text(text: str, number: int, within: Within = "") -> Calls:
    place: dict[str, ArgumentValue] = {"within": within} if within else {}
    return (call("check_count", element=text, **place, count=number),)


def _count_of_text(count: Count, text: str) -> Calls:
    """At most so many, or none, of what is no kind of element counts what the page may never have."""
    return _count_text(text, count.number) if count.comparison == "is" and count.number > 0 else ()


def _in_new_tab(link: Target) -> Calls:
    return (call("check_attribute", **link.arguments(), attribute="target", value="_blank"),)


def _neither_nor(one: Target, other: Target) -> Calls:
    absent = (is_hidden(one), is_hidden(other))
    return absent[0] + absent[1] if all(absent) else ()


def _number_of(target: Target, count: Count) -> Calls:
    return count_of(count, target._replace(plural=True))


def _any_with(target: Target, text: str) -> Calls:
    return _count_with(Count("at_least", 1), target, text)


def _count_with(count: Count, target: Target, text: str) -> Calls:
    """How many of a kind have a text: those that are known by it."""
    if count.none or target.element or not target.role:  # "no row contains" is a claim about each row
        return ()
    return count_of(count, target._replace(element=text, sure=True))


ELEMENTS: tuple[Phrase, ...] = (
    expectation(
        "{element} is visible",
        "{described} is visible",
        "The page shows {element}",
        "The page shows {seen}",
        "The page shows {element} displayed/listed/shown",
        build=is_shown,
        description="An element is visible.",
        examples=(
            'The "Save" button is visible',
            'There is a heading "Welcome"',
            'I see the "Remove" link in the "Backpack" row',
            'The page has a "Log in" link',
        ),
    ),
    expectation(
        "{element} is available",
        build=_available,
        description="An element is visible; not for buttons and fields, for which it may mean that they are enabled.",
        examples=('The "Log out" link is available',),
    ),
    expectation(
        "{element} is not visible",
        "{described} is not visible",
        "The page does not show {seen}",
        build=is_hidden,
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
        "{element} is visible in/inside/within/on/of {spot}",
        "{listed} is visible in/inside/within {spot}",
        "{listed} is in/inside/within {spot}",
        "{listed} is added to/in {spot}",
        "{listed} is moved to/into {spot}",
        "The page shows {seen} in/inside/within/on {spot}",
        "{element} is in/inside/within {spot}",
        "{element} is available in/inside/within {spot}",
        "{element} is visible {beside}",
        "The page shows {seen} {beside}",
        build=_visible_in,
        description="An element is visible in a part of the page.",
        examples=(
            'The "Save" button is visible in the "Cart" section',
            'The "Info" icon is shown next to the "Total" field',
        ),
    ),
    expectation(
        "{element} is not visible in/inside/within/on/of {spot}",
        "{element} is not in/inside/within {spot}",
        "{listed} is not visible in/inside/within {spot}",
        "{listed} is not in/inside/within {spot}",
        build=_not_visible_in,
        description="An element is not visible in a part of the page.",
        examples=('The "Save" button is not visible in the "Cart" section',),
    ),
    expectation(
        "Neither {element} nor {element} is visible",
        build=_neither_nor,
        description="None of two elements is visible.",
        examples=('Neither the "Save" button nor the "Cancel" button is visible',),
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
        "{region} has/shows/contains {element}",
        build=place_shows,
        description="An element is visible in a part of the page.",
        examples=('The "Users" table has a row with "Ada"', 'The header contains "Help" and "Home" links'),
    ),
    expectation(
        "The dialog has/shows/contains {element}",
        build=_dialog_shows,
        description="An element is visible in the dialog.",
        examples=('The dialog has a "Cancel" button',),
    ),
    expectation(
        "{region} does not have/show/contain {element}",
        build=_place_shows_not,
        description="An element is not visible in a part of the page.",
        examples=('The "Users" table does not contain a row with "Ada"',),
    ),
    expectation(
        "The dialog is titled/called/named {text}",
        "The dialog page title is {text}",
        "The dialog 's page title is {text}",
        "The page title of dialog is {text}",
        "The dialog has (the/a) page title (of) {text}",
        build=_dialog_titled,
        description="The dialog of the page has exactly this name.",
        examples=('The dialog is titled "Delete order"', 'The title of the dialog is "Delete order"'),
    ),
    expectation(
        "{dialog_element} opens/open",
        build=is_shown,
        description="A dialog of the page is visible.",
        examples=('A dialog titled "Sure?" opens',),
    ),
    expectation(
        "{link} opens/open in a new tab/window",
        "{link} opens/open in a new browser tab/window",
        build=_in_new_tab,
        description="A link says that it opens in another tab of the browser.",
        examples=('The "Help" link opens in a new tab',),
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
