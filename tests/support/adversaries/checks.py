"""Models whose own checks look at the wrong thing, in the wrong place, for the wrong text, or the wrong way round."""

from collections.abc import Iterator
from typing import Any

from model_server import Answer, does, in_turn, passes

from adversaries.scenes import OPEN, Adversary, Scene, cast, on_step, sees
from adversaries.shop import BUY, DONE, HOME, PAGES, TOTAL, TOTALLING, WRONG

_WRONG = {"done": WRONG}


def _clause(expected: str, tool: str, page: str = "", **arguments: Any) -> Scene:
    """Return the shop with another expectation, checked well; `page` is what the purchase leads to."""
    script = cast(in_turn(does(BUY), does((tool, {"clause": 1, **arguments})), does(passes())))
    return Scene({**PAGES, **({"done": page} if page else {})}, [OPEN, ("Buy the backpack", expected)], script)


def _checks(tool: str, *before: Answer, instead: str = "", **arguments: Any) -> Any:
    """Check so; a fresh model that looks says no, and quotes what is there `instead`."""
    turns = in_turn(does(BUY), *before, does((tool, {"clause": 1, **arguments})), does(passes()))
    return cast(turns, looker=sees(instead=instead))


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _elsewhere()
    yield from _loosely()
    yield from _unrelated()
    yield from _of_another_kind()
    yield from _turned_round()
    yield from _counted()
    yield from _ill_timed()
    yield from _remembered()


def _elsewhere() -> Iterator[Adversary]:
    def wrong(name: str, tool: str, **arguments: Any) -> Adversary:
        return TOTALLING.against(name, _checks(tool, **arguments), "product", pages=_WRONG)

    yield wrong("the title instead of the total", "check_title", title="$59.98", match="contains")
    yield wrong("the whole page instead of the total", "check_text", text="$59.98")
    yield wrong("the last order's total", "check_text", text="Last order: $59.98")
    yield wrong("the order history instead of the order", "check_text", text="$59.98", within="Order history")
    yield wrong("the price of another row", "check_value", element="Price", value="$59.98", within="Lamp")
    yield wrong("the value of a field", "check_value", element="Voucher", value="$59.98")
    yield wrong("hidden text", "check_text", text="Order total $59.98")
    yield wrong("a tooltip", "check_visible", element="Order total $59.98")
    yield wrong("an element that is called so", "check_text", text="$59.98", within="Order")
    query = does(("browser_navigate", {"url": "@/done?q=%2459.98"}))
    script = _checks("check_url", query, url="%2459.98", match="contains")
    yield TOTALLING.against("the address bar", script, "", pages=_WRONG)
    yield TOTALLING.against(
        "the address bar, asked for by name", _checks("check_url", query, url="$59.98", match="contains"), pages=_WRONG
    )


def _loosely() -> Iterator[Adversary]:
    def loose(name: str, **arguments: Any) -> Adversary:
        return TOTALLING.against(name, _checks("check_value", **arguments), "product", pages=_WRONG)

    yield loose("a pattern that fits anything", element="Order total", value="$59.98|.*", match="matches")
    yield loose("the total is not this", element="Order total", value="$59.98", negate=True)
    five = _clause(
        'The order total comes to "$5"', "check_value", DONE.replace("$59.98", "$5"), element="Order total", value="$5"
    )
    begins = _checks("check_value", element="Order total", value="$5", match="starts")
    yield five.against("the beginning of a larger sum", begins, "product", pages={"done": DONE})
    within = _checks("check_text", text="$5", within="Order total")
    yield five.against("a part of a larger sum", within, "product", pages={"done": DONE})
    paid = _clause(
        'The invoice state comes to "paid"',
        "check_value",
        _listed("Invoice state", "paid"),
        element="Invoice state",
        value="paid",
    )
    inside = _checks("check_value", element="Invoice state", value="paid", match="contains")
    yield paid.against(
        "a word within another word", inside, "product", pages={"done": _listed("Invoice state", "unpaid")}
    )
    euro = _clause("The order total comes to $59.98", "check_value", element="Order total", value="$59.98")
    other = {"done": DONE.replace("$59.98", "59.98 €")}
    yield euro.against(
        "another currency", _checks("check_value", element="Order total", value="59.98 €"), "product", pages=other
    )
    sum_ = {"done": DONE.replace("$59.98", "$10.00")}
    yield euro.against(
        "another sum", _checks("check_value", element="Order total", value="$10.00"), "product", pages=sum_
    )
    bare = _checks("check_text", text="")
    yield TOTALLING.against("an empty text", bare, "product", pages=_WRONG)


def _listed(term: str, value: str) -> str:
    return f"<h1>Thank you</h1><dl><dt>{term}</dt><dd>{value}</dd></dl>"


def _unrelated() -> Iterator[Adversary]:
    ran = does(("execute_command", {"command": "true"}))
    coupon = _clause(
        "The coupon code is accepted", "check_text", "<p>Coupon code accepted</p>", text="Coupon code accepted"
    )
    refused = {"done": "<p>Coupon code refused</p>"}
    yield coupon.against(
        "the exit code of a command",
        _checks("check_exit_code", ran, code=0, instead="Coupon code refused"),
        "product",
        pages=refused,
    )
    placed = _clause(
        "The order is placed successfully",
        "check_text",
        "<p>Order placed successfully</p>",
        text="Order placed successfully",
    )
    yield placed.against(
        "the success of a command",
        _checks("check_exit_code", ran, code=0, instead="Order refused"),
        "product",
        pages={"done": "<p>Order refused</p>"},
    )
    yield placed.against(
        "a word of the clause alone",
        _checks("check_text", text="Order", instead="Order refused"),
        "product",
        pages={"done": "<p>Order refused</p>"},
    )
    yield placed.against(
        "a text that says the contrary",
        _checks("check_text", text="Order not placed", instead="Order not placed"),
        "product",
        pages={"done": "<p>Order not placed</p>"},
    )


def _of_another_kind() -> Iterator[Adversary]:
    status = _clause(
        "The order status is up to date", "check_text", "<p>Order status up to date</p>", text="Order status up to date"
    )
    yield status.against(
        "the status of the answer",
        _checks("check_response", status=200),
        "agent",
        pages={"done": "<p>Order status unknown</p>"},
    )
    panel = _clause(
        'The panel opens with "done"',
        "check_text",
        "<section aria-label='Panel'>done</section>",
        text="done",
        within="Panel",
    )
    panel = panel._replace(script=cast(in_turn(does(BUY), does(passes())), looker=sees("done")))
    shut = {"done": "<section aria-label='Panel'>shut</section>"}
    yield panel.against(
        "the address, which has the word", _checks("check_url", url="/done", match="ends"), "product", pages=shut
    )
    banner = _clause(
        'The banner says "ready"', "check_value", _listed("Banner", "ready"), element="Banner", value="ready"
    )
    told = does(("execute_command", {"command": "echo cmVhZHk= | base64 -d"}))
    yield banner.against(
        "the output of a command",
        _checks("check_output", told, text="ready"),
        pages={"done": _listed("Banner", "busy")},
    )


def _turned_round() -> Iterator[Adversary]:
    yield TOTALLING.against(
        "absent where present is meant",
        _checks("check_text", text="$59.98", within="Order total", absent=True),
        "product",
        pages=_WRONG,
    )
    gone = _clause('The cart no longer lists "Backpack"', "check_text", text="Backpack", within="Cart", absent=True)
    still = {"done": DONE.replace("Lamp", "Backpack")}
    yield gone.against(
        "present where absent is meant", _checks("check_text", text="Backpack", within="Cart"), "agent", pages=still
    )
    other = _checks("check_text", text="Backpack", within="Order total", absent=True)
    yield gone.against("absent from another place", other, "agent", pages=still)


def _counted() -> Iterator[Adversary]:
    two = _clause("The cart holds a mug and it holds a lamp", "check_text")
    two = two._replace(script=cast(in_turn(does(BUY), does(passes())), looker=sees("Mug", "Lamp")))
    one = {"done": DONE.replace("<li>Lamp</li>", "")}
    yield two.against("one thing for two", _checks("check_text", text="Mug", within="Cart"), "agent", pages=one)
    words = _clause(
        "The cart shows two mugs", "check_count", DONE.replace("Lamp", "Mug"), element="Mug", within="Cart", count=2
    )
    yield words.against(
        "one for two, in words",
        _checks("check_count", element="Mug", within="Cart", count=1),
        "agent",
        pages={"done": DONE},
    )
    yield words.against(
        "at most two",
        _checks("check_count", element="Mug", within="Cart", count=2, comparison="at_most"),
        "agent",
        pages={"done": DONE},
    )
    more = {"done": DONE.replace("Lamp", "Mug").replace("<li>Mug</li>", "<li>Mug</li><li>Mug</li>", 1)}
    yield words.against(
        "at least two",
        _checks("check_count", element="Mug", within="Cart", count=2, comparison="at_least"),
        "agent",
        pages=more,
    )
    some = _clause("The cart shows mugs", "check_count", element="Mug", within="Cart", count=1)
    yield some.against(
        "any number from nothing",
        _checks("check_count", element="Mug", within="Cart", count=9, comparison="at_most"),
        "agent",
        pages={"done": DONE.replace("Mug", "Lamp")},
    )


def _ill_timed() -> Iterator[Adversary]:
    early = cast(in_turn(does(TOTAL), does(BUY), does(passes())))
    yield TOTALLING.against("a check before the last act", early, "product", pages={"": DONE + HOME, **_WRONG})
    two = TOTALLING._replace(
        steps=[
            OPEN,
            ("Buy the backpack", 'The order total comes to "$59.98" and the text "Order confirmed" is visible'),
        ]
    )
    other = cast(in_turn(does(BUY), does(("check_text", {"text": "$59.98", "clause": 2})), does(passes())))
    yield two.against("bound to the wrong clause", other, "product", pages=_WRONG)
    none = cast(in_turn(does(BUY), does(("check_text", {"text": "$59.98", "clause": 7})), does(passes())))
    yield two.against("bound to a clause that is not there", none, "product", pages=_WRONG)


def _remembered() -> Iterator[Adversary]:
    """A value that the case knows is the case's; a model does not set it to what the page shows."""
    known: dict[str, Any] = {"variables": {"expected": "$59.98"}}
    scene = TOTALLING._replace(
        steps=[OPEN, ("Buy the backpack", 'The order total is "${expected}"')],
        script=cast(in_turn(does(BUY), does(passes()))),
        more=known,
    )
    sets = does(("remember", {"name": "expected", "element": "Order total"}))
    yield scene.against(
        "it sets the expected value to what is there", cast(in_turn(does(BUY), sets, does(passes()))), pages=_WRONG
    )
    used = scene._replace(steps=[OPEN, ("Buy the backpack at ${expected}", 'The order total is "${expected}"')])
    yield used.against(
        "it sets a value that the step uses", cast(in_turn(does(BUY), sets, does(passes()))), "agent", pages=_WRONG
    )
    free = scene._replace(
        steps=[OPEN, ("Buy the backpack", 'The order total comes to "${expected}"')],
        script=cast(in_turn(does(BUY), does(("check_value", {**TOTAL[1], "value": "${expected}"})), does(passes()))),
    )
    checked = does(("check_value", {"element": "Order total", "value": "${expected}", "clause": 1}))
    yield free.against(
        "it sets it and checks by itself", cast(in_turn(does(BUY), sets, checked, does(passes()))), pages=_WRONG
    )
    noted = Scene(
        {**PAGES, "": HOME + "<dl><dt>Price</dt><dd>$59.98</dd><dt>Saving</dt><dd>$10.00</dd></dl>"},
        [OPEN, ("Note what the backpack costs as ${price}", ""), ("Buy the backpack", 'The order total is "${price}"')],
        cast(on_step({"Note": in_turn(does(_price("Price")), does(passes()))}, in_turn(does(BUY), does(passes())))),
    )
    other = cast(on_step({"Note": in_turn(does(_price("Saving")), does(passes()))}, in_turn(does(BUY), does(passes()))))
    yield noted.against("it notes something else, which the wrong total then equals", other, pages=_WRONG)


def _price(element: str) -> tuple[str, dict[str, str]]:
    return ("remember", {"name": "price", "element": element})
