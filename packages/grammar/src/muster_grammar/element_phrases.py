"""Phrases for what single elements of the page must be."""

from msgspec.structs import replace

from muster_grammar.element_kinds import DRAWN, FIELD_NOUNS, FIELD_ROLES, KINDS, PARTS, SECTIONS
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.group_parameters import is_amount
from muster_grammar.target_parser import Target, Within
from muster_grammar.vocabulary import split
from muster_protocol.narrowing import How, narrowing_of
from muster_protocol.tool_calls import ArgumentValue

_ALWAYS_USABLE = split("link tab heading image row cell listitem option menuitem table")
"""Roles of what is hardly ever disabled."""
_VALUED = FIELD_ROLES | split("cell columnheader slider progressbar")
_COMPARING: frozenset[How] = frozenset(("below", "above", "before", "after"))


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


def _visible_in(target: Target, place: Within) -> Calls:
    return () if target.within else is_shown(target._replace(within=place))


def _is_beside(target: Target, place: Within) -> Calls:
    """Return the check of a place; of what has a value, "is below" may compare it."""
    relations = narrowing_of(place).relations
    valued = not target.role or target.role in _VALUED
    compared = any(relation.how in _COMPARING and (valued or is_amount(relation.anchor)) for relation in relations)
    return () if compared else _visible_in(target, place)


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


def _in_new_tab(link: Target) -> Calls:
    return (call("check_attribute", **link.arguments(), attribute="target", value="_blank"),)


def _neither_nor(one: Target, other: Target) -> Calls:
    absent = (is_hidden(one), is_hidden(other))
    return absent[0] + absent[1] if all(absent) else ()


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
        "{element} is visible in/inside/within/on/of {spot}",
        "{listed} is visible in/inside/within {spot}",
        "{listed} is in/inside/within {spot}",
        "{listed} is added to/in {spot}",
        "{listed} is moved to/into {spot}",
        "The page shows {seen} in/inside/within/on {spot}",
        "The page shows {element} displayed/shown/listed/rendered in/inside/within/on {spot}",
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
        "{element} is {beside}",
        build=_is_beside,
        description="An element is visible beside, below or above another one.",
        examples=('The "Save" button is next to the "Cancel" button',),
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
        "{region} has/shows/contains {element}",
        "{region} with {element} is visible",
        "{region} is visible with {element}",
        "The page shows {region} with {element}",
        build=place_shows,
        description="An element is visible in a part of the page.",
        examples=('The "Users" table has a row with "Ada"', 'The header contains "Help" and "Home" links'),
    ),
    expectation(
        "The dialog has/shows/contains {element}",
        "The dialog with {element} is visible",
        "The dialog with {element} opens/open",
        "The dialog is visible with {element}",
        "The dialog opens/open with {element}",
        "The page shows dialog with {element}",
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
        "The dialog opens/open with (the/a) page title {text}",
        "The dialog is visible with (the/a) page title {text}",
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
)
