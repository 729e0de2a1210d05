"""Phrases for where texts stand to each other: before, above, to the left."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, call, expectation


def _before(one: str, other: str) -> Calls:
    return (call("check_order", texts=[one, other]),)


def _after(one: str, other: str) -> Calls:
    return _before(other, one)


def _above(one: str, other: str) -> Calls:
    return (call("check_order", texts=[one, other], way="above"),)


def _below(one: str, other: str) -> Calls:
    return _above(other, one)


def _left_of(one: str, other: str) -> Calls:
    return (call("check_order", texts=[one, other], way="left of"),)


def _right_of(one: str, other: str) -> Calls:
    return _left_of(other, one)


def _before_in(one: str, other: str, place: str) -> Calls:
    return (call("check_order", texts=[one, other], within=place),)


def _pair(way: str, build: Callable[..., Calls], description: str, example: str) -> tuple[Phrase, ...]:
    patterns = (
        f"{{text}} is visible {way} {{text}}",
        f"{{complaint}} is visible {way} {{text}}",
        f"{{text}} is {way} {{text}}",
        f"The page shows {{text}} {way} {{text}}",
    )
    stands = f"{{text}} comes/come/stands/stand {way} {{text}}"
    if way == "below":
        patterns = (*patterns, "{text} is visible under {text}", "{text} is under {text}")
        patterns = (*patterns, "{complaint} is visible under {text}")
    entries = tuple(f"{noun} {{text}} is/comes/stands {way} {noun} {{text}}" for noun in ("row", "item"))
    return (expectation(*patterns, stands, *entries, build=build, description=description, examples=(example,)),)


def _above_in(one: str, other: str, place: str) -> Calls:
    return (call("check_order", texts=[one, other], within=place, way="above"),)


def _in_this_order(texts: tuple[str, ...]) -> Calls:
    return (call("check_order", texts=list(texts)),) if len(texts) > 1 else ()


def _place_in_order(place: str, texts: tuple[str, ...]) -> Calls:
    return (call("check_order", texts=list(texts), within=place),) if len(texts) > 1 else ()


ORDERS: tuple[Phrase, ...] = (
    *_pair(
        "before", _before, "One text stands before another, as one reads the page.", '"Bread" is shown before "Milk"'
    ),
    *_pair("after", _after, "One text stands after another, as one reads the page.", '"Milk" is shown after "Bread"'),
    *_pair("above", _above, "One text is drawn above another.", 'I see "Bread" above "Milk"'),
    *_pair("below", _below, "One text is drawn below another.", '"Milk" is below "Bread"'),
    *_pair("left of", _left_of, "One text is drawn to the left of another.", '"Bread" is to the left of "Milk"'),
    *_pair("right of", _right_of, "One text is drawn to the right of another.", '"Milk" is right of "Bread"'),
    expectation(
        "{text} is visible before {text} in/inside/within {spot}",
        "{text} is before {text} in/inside/within {spot}",
        build=_before_in,
        description="One text stands before another in a part of the page.",
        examples=('"Bread" is before "Milk" in the "Groceries" list',),
    ),
    expectation(
        "{text} is visible above {text} in/inside/within {spot}",
        "{text} is above {text} in/inside/within {spot}",
        build=_above_in,
        description="One text is drawn above another in a part of the page.",
        examples=('"Bread" is above "Milk" in the "Groceries" list',),
    ),
    expectation(
        "The page shows {texts} in this/that order",
        "{texts} are visible in this/that order",
        build=_in_this_order,
        description="Texts stand in this order, as one reads the page.",
        examples=('The page shows "Bread", "Eggs" and "Milk" in this order',),
    ),
    expectation(
        "{region} shows/contains {texts} in this/that order",
        build=_place_in_order,
        description="Texts stand in this order in a part of the page.",
        examples=('The "Groceries" list shows "Bread", "Eggs" and "Milk" in this order',),
    ),
)
