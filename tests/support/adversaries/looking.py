"""Lookers that say yes to anything, where nothing but a look can decide."""

from collections.abc import Iterator

from model_server import Script, does, gives, in_turn, passes, says

from adversaries.scenes import OPEN, Adversary, Scene, cast, says_yes, sees
from adversaries.shop import BUY, CLOSED, DONE, LOOKED_AT, PAGES, WRONG

_BOUGHT = in_turn(does(BUY, passes()), does(passes()))


def _statement(expected: str, *quotes: str, page: str = DONE) -> Scene:
    """Return the shop with a statement to be looked at, which holds on `page`."""
    script = cast(_BOUGHT, looker=sees(*quotes))
    return Scene({**PAGES, "done": page}, [OPEN, ("Buy the backpack", expected)], script)


def _eyes(looker: Script) -> Script:
    return cast(_BOUGHT, looker=looker)


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _totals()
    yield from _statements()
    yield from _negatives()
    yield from _answers()


def _totals() -> Iterator[Adversary]:
    quotes = {
        "an invented quote": "Order total: $59.98 in full",
        "no quote": "",
        "a quote without the sum": "$10.00",
        "the last order for a quote": "Last order: $59.98",
        "the sum from another row": "$59.98",
        "the title for a quote": "$59.98 well spent",
        "a quote from here to there": "Order total $10.00 Order history Last order: $59.98",
    }
    for name, quote in quotes.items():
        yield LOOKED_AT.against(f"a looker with {name}", _eyes(says_yes(quote)), pages={"done": WRONG})
    five = _statement('The order total comes to "$5"', "$5", page=DONE.replace("$59.98", "$5"))
    yield five.against("a looker with a larger sum", _eyes(says_yes("$59.98")), pages={"done": DONE})


def _statements() -> Iterator[Adversary]:
    confirmed = _statement("The order is confirmed", "Order confirmed")
    closed = {"done": CLOSED}
    yield confirmed.against("a looker with a quote that has nothing of it", _eyes(says_yes("Sorry")), pages=closed)
    yield confirmed.against("a looker with an invented confirmation", _eyes(says_yes("Order confirmed")), pages=closed)
    refused = {"done": "<h1>Sorry</h1><p>Your order could not be confirmed</p>"}
    yield confirmed.against(
        "a looker with the contrary", _eyes(says_yes("Your order could not be confirmed")), pages=refused
    )
    failed = {"done": "<h1>Order</h1><p>Order failed</p>"}
    yield confirmed.against("a looker with a failure", _eyes(says_yes("Order failed")), pages=failed)
    right = _statement("The dashboard looks right", "Dashboard", page="<h1>Dashboard</h1><p>All services run</p>")
    broken = {"done": "<h1>Dashboard</h1><p>Error: no data</p>"}
    yield right.against("a looker with an error for a quote", _eyes(says_yes("Error: no data")), pages=broken)
    yield right.against("a looker with no quote of the dashboard", _eyes(says_yes("")), pages=broken)
    two = _statement("The cart comes to 2 items", "2 items in your cart", page="<p>2 items in your cart</p>")
    yield two.against(
        "a looker with another number",
        _eyes(says_yes("12 items in your cart")),
        pages={"done": "<p>12 items in your cart</p>"},
    )
    sum_ = _statement("The order total comes to $59.98", "$59.98", "Order total")
    yield sum_.against(
        "a looker with another sum, without quotes",
        _eyes(says_yes("$10.00")),
        pages={"done": DONE.replace("$59.98", "$10.00")},
    )


def _negatives() -> Iterator[Adversary]:
    fine = "<h1>Thank you</h1><p>Your mug is on its way</p>"
    none = _statement('Nobody is told "Sold out"', page=fine)._replace(script=cast(_BOUGHT, looker=_never("Sold out")))
    yield none.against(
        "a looker that denies what is there", _eyes(says_yes("")), pages={"done": fine + "<p>Sold out</p>"}
    )
    yield none.against(
        "a looker that quotes what should not be there",
        _eyes(says_yes("Sold out")),
        pages={"done": fine + "<p>Sold out</p>"},
    )
    error = _statement("No error shows up", page=fine)._replace(script=cast(_BOUGHT, looker=_never("Error")))
    yield error.against(
        "a looker that overlooks an error", _eyes(says_yes("")), pages={"done": fine + "<p>Error: card declined</p>"}
    )
    yield error.against(
        "a looker that quotes something else",
        _eyes(says_yes("Thank you")),
        pages={"done": fine + "<p>Error: card declined</p>"},
    )


def _never(text: str) -> Script:
    """Look honestly whether a text is not there."""
    return lambda asked: gives(
        {"holds": text not in asked.question.partition("# The page (data)")[2], "quote": "", "answer": "looked for it"}
    )


def _answers() -> Iterator[Adversary]:
    answers = {
        "garbage": says("yes, it is all fine"),
        "half a JSON": says('{"holds": true, "quote": "Order'),
        "yes in words": gives({"holds": "yes", "quote": "$10.00", "answer": "yes"}),
        "a pass for an answer": says('{"status": "pass"}'),
        "more than was asked": gives({"holds": True, "quote": "$59.98", "answer": "yes", "passed": True}),
    }
    for name, answer in answers.items():
        yield LOOKED_AT.against(f"a looker that answers {name}", _eyes(in_turn(answer)), pages={"done": WRONG})
