"""Phrases for what lists and tables hold: what comes first or last in them, and that they hold nothing else."""

from http import HTTPStatus

from muster_grammar.count_phrases import count_of
from muster_grammar.element_kinds import HELD
from muster_grammar.element_phrases import is_shown
from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Count
from muster_grammar.target_parser import Target, Within
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of

_OWN = frozenset(("title", "name", "description", "subject"))
"""What a part of the page may itself be called by, rather than hold under a label."""


def _holds(holder: Target) -> bool:
    return holder.role in HELD and not (holder.within or holder.ordinal or holder.trait or holder.plural)


def _inside(holder: Target) -> Within:
    if holder.role == "table" and holder.element:
        return [f'in table "{holder.element}"']  # another part may bear its name
    return holder.element or [f"in {holder.role}"]


def _only(holder: Target, texts: tuple[str, ...]) -> Calls:
    """One item for each text."""
    if not _holds(holder) or not all(texts):
        return ()
    inside = _inside(holder)
    shown = tuple(call("check_text", text=text, within=inside) for text in texts)
    return (*shown, *count_of(Count("is", len(texts)), Target("", HELD[holder.role], within=inside, plural=True)))


def _counted(holder: Target, count: Count, _: bool) -> Calls:
    if not _holds(holder):
        return ()
    return count_of(count, Target("", HELD[holder.role], within=_inside(holder), noun=HELD[holder.role], plural=True))


def _only_in(texts: tuple[str, ...], holder: Target) -> Calls:
    return _only(holder, texts)


def _at(position: int, held: Target, holder: Target) -> Calls:
    """The item or row must be given by name, as in `"Milk"` or `the item "Milk"`."""
    named = held.sure and held.element and held == held._replace(within="", ordinal=0, trait="", plural=False)
    if not named or not _holds(holder) or held.role not in {"", HELD[holder.role]}:
        return ()
    item = Relation("in", role=HELD[holder.role], ordinal=position)
    here = Narrowing(relations=(item, *narrowing_of(_inside(holder)).relations)).argument()
    return (call("check_text", text=held.element, within=here),)


def _came_to(target: Target, place: Within) -> Calls:
    """Any "item" in a list does not show which one came to it."""
    return is_shown(target._replace(within=place)) if target.element and not target.within else ()


def _is_at(held: Target, place: Target) -> Calls:
    """Check a position in the only list or table of the page: `"Milk" is the first item`."""
    counted = place == Target("", place.role, noun=place.noun, ordinal=place.ordinal, sure=False)
    if not counted or not place.ordinal or place.role not in HELD.values():
        return ()
    return _at(place.ordinal, held, Target("", next(holder for holder, one in HELD.items() if one == place.role)))


def _place_holds(place: Target, text: str) -> Calls:
    """Check a row for a text. An item is compared as a whole, in `field_phrases`."""
    return _is_at(Target(text), place) if place.role == "row" else ()


def _first(held: Target, holder: Target) -> Calls:
    return _at(1, held, holder)


def _last(held: Target, holder: Target) -> Calls:
    return _at(-1, held, holder)


def _has(owner: Within, valued: tuple[str, str]) -> Calls:
    label, value = valued
    own = label in _OWN or not owner
    return () if own else (call("check_value", element=label, within=owner, value=value),)


def _has_property(owner: Within, label: str, value: str) -> Calls:
    return _has(owner, (label, value))


def _status(value: str) -> Calls:
    responses = value[:1].isdigit() or value in {one.phrase for one in HTTPStatus}
    return () if responses else (call("check_value", element="status", value=value),)


def _other_status(value: str) -> Calls:
    return tuple(call(one.tool, **one.arguments, negate=True) for one in _status(value))


def _has_status(owner: Within, value: str) -> Calls:
    return _has(owner, ("status", value))


def _text_beside(place: Within, text: str) -> Calls:
    return (call("check_text", text=text, within=place),)


def _complained(text: str, field: Target) -> Calls:
    return _beside(field, text)


def _complained_by(text: str, label: str) -> Calls:
    return _beside(Target(label), text)


def _beside(field: Target, text: str) -> Calls:
    """The error of a field is a text about the field, not the text in it."""
    called = field.element or field.trait
    if not called or field.within or field.ordinal:
        return ()
    about = Narrowing(relations=(Relation("of", called, "field"),)).argument()
    return (call("check_text", text=text, within=about),)


ITEMS: tuple[Phrase, ...] = (
    expectation(
        "{target} only has/contains/shows {texts}",
        "{target} has/contains/shows only/just/exactly {texts}",
        "{target} has/contains/shows {texts} only",
        "{target} consists of (only) {texts}",
        build=_only,
        description="A list or table holds these texts, each in one item or row, and nothing else.",
        examples=('The list contains only "Milk" and "Eggs"', 'The "Wishes" list only shows "Backpack"'),
    ),
    expectation(
        "{target} has/shows/contains/lists/list {count} {records}",
        build=_counted,
        description="Counts the rows of a table, or the items of a list, by what they are.",
        examples=("The table shows 10 users", 'The "Wishes" list has no entries'),
    ),
    expectation(
        "Only/Just {texts} is visible in/inside/within/on {target}",
        build=_only_in,
        description="A list or table holds these texts, each in one item or row, and nothing else.",
        examples=('Only "Milk" is shown in the list',),
    ),
    expectation(
        "{element} is added/moved to {spot}",
        build=_came_to,
        description="An element, by its name, is visible in a part of the page.",
        examples=('The "A" card is moved to the "Done" list',),
    ),
    expectation(
        "{target} is (the) first (item/row/entry) in/of/on {target}",
        "{target} is at/on (the) top/beginning/start of {target}",
        "{target} is visible at/on (the) top/beginning/start of {target}",
        "{target} is added at/to (the) top/beginning/start of {target}",
        "{target} is visible first in/on {target}",
        "{target} comes/stands first in/on {target}",
        build=_first,
        description="The first item of a list, or row of a table, contains this.",
        examples=('"Milk" is at the top of the list', '"Ada" is the first row in the "Users" table'),
    ),
    expectation(
        "{target} is (the) last (item/row/entry) in/of/on {target}",
        "{target} is at/on (the) bottom/end of {target}",
        "{target} is visible at/on (the) bottom/end of {target}",
        "{target} is added at/to (the) bottom/end of {target}",
        "{target} is visible last in/on {target}",
        "{target} comes/stands last in/on {target}",
        build=_last,
        description="The last item of a list, or row of a table, contains this.",
        examples=('"Eggs" is at the end of the list', '"Bob" is the last row of the "Users" table'),
    ),
    expectation(
        "{target} is {target}",
        build=_is_at,
        description="This item of the only list, or row of the only table, contains this.",
        examples=('"Milk" is the first item', '"Ada" is the last row'),
    ),
    expectation(
        "{target} is {quoted}",
        build=_place_holds,
        description="This row of the only table contains this.",
        examples=('The first row is "Ada"',),
    ),
    expectation(
        "{spot} has/shows {valued}",
        "{spot} is visible with {valued}",
        "{place} {measured}",
        build=_has,
        description="What a row, an item or a card holds under a label that ends with a noun for a value.",
        examples=('"Ada" has the role "Admin"', 'The row "A-1" has the status "Shipped"', '"Mug" costs "$9.99"'),
    ),
    expectation(
        "{spot} 's {property} is {quoted}",
        build=_has_property,
        description="What a row, an item or a card holds under a label that ends with a noun for a value.",
        examples=('"Ada"\'s role is "Admin"',),
    ),
    expectation(
        "Status is {quoted}",
        "Status shows {quoted}",
        build=_status,
        description="What the page shows under the label status; numbers and words of HTTP are those of responses.",
        examples=('The status is "Shipped"',),
    ),
    expectation(
        "Status is not {quoted}",
        build=_other_status,
        description="The page shows something else under the label status.",
        examples=('The status is not "Shipped"',),
    ),
    expectation(
        "Status of {spot} is {quoted}",
        "{place} status is {quoted}",
        "The page shows {place} status as {quoted}",
        build=_has_status,
        description="What a row, an item or a card holds under the label status.",
        examples=('The status of "A-1" is "Shipped"',),
    ),
    expectation(
        "{textbox} has/shows {complaint}",
        build=_beside,
        description="An error or another message beside a field.",
        examples=('The "Name" field shows the error "Required"',),
    ),
    expectation(
        "The text {beside} is/shows {quoted}",
        build=_text_beside,
        description="A text that stands beside something.",
        examples=('The error below the "Name" field says "Too long"',),
    ),
    expectation(
        "The page shows {complaint} from/for/by {textbox}",
        "{complaint} is visible from/for/by {textbox}",
        build=_complained,
        description="An error or another message beside a field.",
        examples=('I see the error "Required" for the "Name" field',),
    ),
    expectation(
        "The page shows {complaint} from/for/by {quoted}",
        "{complaint} is visible from/for/by {quoted}",
        "{complaint} for {quoted} is visible",
        "{complaint} is visible for {field_label}",
        build=_complained_by,
        description="An error or another message beside a field.",
        examples=('The error "Required" is shown for "Name"',),
    ),
)
