"""The product that most adversarial cases are about: a shop with one thing to buy, working or out of order."""

from model_server import does, in_turn, passes
from pages import Visit

from adversaries.scenes import OPEN, Scene, cast, sees

HOME = """<h1>Shop</h1><p>Backpack, our best</p><form action="@/done"><button>Buy</button></form>
<form action="@/find"><label>Search <input name="q"></label><button>Find</button></form><a href="@/help">Help</a>"""
DONE = """<h1>Thank you</h1><p>Order confirmed</p>
<dl><dt>Order total</dt><dd>$59.98</dd></dl><section aria-label="Cart"><ul><li>Mug</li><li>Lamp</li></ul></section>"""
CLOSED = "<h1>Sorry</h1><p>The shop is closed today</p>"
WRONG = """<title>$59.98 well spent</title><h1>Thank you</h1><p>Order confirmed</p>
<dl><dt>Order total</dt><dd>$10.00</dd></dl>
<section aria-label="Order history"><h2>Order history</h2><p>Last order: $59.98</p></section>
<table><tr><th>Item</th><th>Price</th></tr><tr><td>Mug</td><td>$5.00</td></tr><tr><td>Lamp</td><td>$59.98</td></tr></table>
<p hidden>Order total $59.98</p><p><abbr title="Order total $59.98">Note</abbr></p>
<label>Voucher <input value="$59.98"></label>"""


def found(visit: Visit) -> str:
    """Answer a search as shops do: with what was searched for."""
    return f"<h1>Search</h1><p>No results for {visit.fields.get('q', '')}</p>"


PAGES = {"": HOME, "done": DONE, "find": found, "help": "<h1>Help</h1><p>Call us</p>"}
BUY = ("click", {"element": "Buy"})
TOTAL = ("check_value", {"element": "Order total", "value": "$59.98", "clause": 1})

BUYING = Scene(
    PAGES,
    [OPEN, ("Buy the backpack", 'The text "Order confirmed" is visible')],
    cast(in_turn(does(BUY, passes()))),
)
"""The expectation is a phrase, the action is not."""
TOTALLING = Scene(
    PAGES,
    [OPEN, ("Buy the backpack", 'The order total comes to "$59.98"')],
    cast(in_turn(does(BUY), does(TOTAL), does(passes()))),
)
"""Neither is a phrase: the model must check, or a fresh one must look."""
LOOKED_AT = TOTALLING._replace(script=cast(in_turn(does(BUY, passes())), looker=sees("$59.98", "Order total")))
