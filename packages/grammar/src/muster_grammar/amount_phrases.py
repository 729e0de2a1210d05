"""Phrases that compare amounts: numbers, sums of money, dates."""

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.group_parameters import Amounts, Bound, is_amount
from muster_grammar.target_parser import Target


def _amount(target: Target, amounts: Amounts) -> Calls:
    if target.element.startswith("${"):  # a remembered value, not the name of an element
        return ()
    return tuple(
        call("check_value", **target.arguments(field=True), value=bound.text, match=bound.relation) for bound in amounts
    )


_OPPOSITES = {"above": "at_most", "below": "at_least", "at_least": "below", "at_most": "above"}


def _not_amount(target: Target, amounts: Amounts) -> Calls:
    """What is not within a range is on either side of it, which no check tells."""
    if len(amounts) != 1:
        return ()
    bound = amounts[0]
    return _amount(target, (bound._replace(relation=_OPPOSITES[bound.relation]),))


def _related(relation: str, *patterns: str, example: str) -> Phrase:
    def build(target: Target, text: str) -> Calls:
        return _amount(target, (Bound(relation, text),)) if is_amount(text) else ()

    return expectation(
        *patterns,
        build=build,
        description="Compares a number, a sum of money or a date on the page by what it amounts to.",
        examples=(example,),
    )


def _known_amount(value: str, amounts: Amounts) -> Calls:
    if not value.startswith("${"):
        return ()
    return tuple(call("check_amount", value=value, than=bound.text, match=bound.relation) for bound in amounts)


AMOUNTS: tuple[Phrase, ...] = (
    expectation(
        "{thing} is {amounts}",
        "The value/text/number/amount of {thing} is {amounts}",
        "{thing} lies/lie/ranges/range {amounts}",
        build=_amount,
        description="Compares a number, a sum of money or a date on the page by what it amounts to.",
        examples=(
            "The total is more than 10",
            'The "Total" field is at least "$29.99"',
            "The total is between 10 and 20",
            "The total is greater than ${old_total}",
            'The "Due" field is later than "2026-01-31"',
        ),
    ),
    expectation(
        "{thing} is not {amounts}",
        "The value/text/number/amount of {thing} is not {amounts}",
        build=_not_amount,
        description="Compares by what must not be exceeded or fallen short of.",
        examples=("The total is not more than 10",),
    ),
    _related("above", "{thing} exceed/exceeds {text}", "{thing} > {text}", example="The total exceeds 10"),
    _related("below", "{thing} < {text}", example="The total < 10"),
    _related("at_least", "{thing} > = {text}", "{thing} ≥ {text}", example="The total >= 10"),
    _related(
        "at_most",
        "{thing} does not exceed {text}",
        "{thing} < = {text}",
        "{thing} ≤ {text}",
        example="The total does not exceed 10",
    ),
    expectation(
        "{text} is {amounts}",
        build=_known_amount,
        description="Compares a remembered value with another value.",
        examples=("${after} is greater than ${before}", "${count} is at most 3"),
    ),
)
