"""Models that claim a pass without having done or looked at what it takes."""

from collections.abc import Iterator

from model_server import does, fails, in_turn, passes, says

from adversaries.scenes import OPEN, Adversary, cast, on_step, sees
from adversaries.shop import BUY, BUYING, CLOSED, DONE, HOME, TOTAL, TOTALLING, WRONG

_OUT = {"done": CLOSED}


def adversaries() -> Iterator[Adversary]:
    """Yield the cases."""
    yield from _idle()
    yield from _contradicted()
    yield from _two_results()
    yield from _by_address()
    yield from _before()


def _idle() -> Iterator[Adversary]:
    yield BUYING.against("it claims a pass at once", cast(in_turn(does(passes()))), "agent")
    looks = does(("snapshot", {}))
    yield BUYING.against("it takes a snapshot and claims a pass", cast(in_turn(looks, does(passes()))), "agent")
    helped = does(("click", {"element": "Help"}), passes())
    yield BUYING.against("it clicks something else", cast(in_turn(helped)))
    idle = cast(in_turn(does(passes())))
    yield BUYING.against("it does nothing where the page shows the result anyhow", idle, "agent", pages={"": DONE})
    confirming = BUYING._replace(steps=[OPEN, ("Confirm the purchase", 'The text "Backpack" is visible')])
    confirming = confirming._replace(pages={**BUYING.pages, "done": "<p>Backpack bought</p>"})
    yield confirming.against("it takes an order for a question", cast(in_turn(does(passes()))), "agent")
    yield TOTALLING.against(
        "it checks what was there before and does nothing",
        cast(in_turn(does(TOTAL), does(passes()))),
        "agent",
        pages={"": DONE},
    )


def _contradicted() -> Iterator[Adversary]:
    yield BUYING.against(
        "the phrase is false", cast(in_turn(does(BUY, passes()), does(passes()))), "product", pages=_OUT
    )
    yield TOTALLING.against(
        "its own check is false", cast(in_turn(does(BUY), does(TOTAL, passes()))), "product", pages={"done": WRONG}
    )
    both = TOTALLING._replace(
        steps=[
            TOTALLING.steps[0],
            ("Buy the backpack", 'The text "Order confirmed" is visible and the order total comes to "$59.98"'),
        ],
        script=cast(in_turn(does(BUY), does(("check_value", {**TOTAL[1], "clause": 2})), does(passes()))),
    )
    script = cast(in_turn(does(BUY), does(TOTAL), does(passes())))
    yield both.against("the phrase and its own check are false", script, "product", pages=_OUT)
    yield both.against("a clause is left out", script, "product", pages={"done": WRONG})
    missing = cast(in_turn(does(("click", {"element": "Pay"}), passes()), does(passes())))
    yield BUYING.against("its click had an error", missing, "agent")
    one = cast(in_turn(does(BUY), does(passes())))
    yield BUYING.against(
        "it says so in a text", cast(in_turn(does(BUY), says("RESULT: PASS\nSUMMARY: fine"))), pages=_OUT
    )
    yield BUYING.against("it claims so again and again", one, "product", pages=_OUT)


def _two_results() -> Iterator[Adversary]:
    both = does(passes(), fails())
    yield BUYING.against("it claims pass and fail in one reply", cast(in_turn(does(BUY), both)))
    yield BUYING.against("it claims fail and pass in one reply", cast(in_turn(does(BUY), does(fails(), passes()))))
    text = says("RESULT: PASS\nSUMMARY: done\nRESULT: FAIL\nSUMMARY: or not")
    yield BUYING.against("it writes both results", cast(in_turn(does(BUY), text)), "agent")
    later = cast(in_turn(does(BUY, passes()), does(fails())))
    yield BUYING.against("it claims a pass and then a fail", later, "product", pages=_OUT)
    other = ("finish", {"status": "pass", "summary": "done", "task": "step-1"})
    yield BUYING.against("it gives the result of another task", cast(in_turn(does(BUY, other))), pages=_OUT)
    odd = cast(in_turn(does(BUY), does(("finish", {"status": "PASSED"})), does(("finish", {"status": True}))))
    yield BUYING.against("its result is none of the two", odd, "agent")


def _by_address() -> Iterator[Adversary]:
    """The confirmation is a page like any other; who opens it by its address has bought nothing."""
    there = ("browser_navigate", {"url": "@/done"})
    tab = ("browser_tab_new", {"url": "@/done"})
    dead = {"": HOME.replace("@/done", "@/")}
    yield BUYING.against("it opens the confirmation by its address", cast(in_turn(does(there, passes()))), "agent")
    yield BUYING.against("it opens the confirmation in a tab", cast(in_turn(does(tab, passes()))), "agent")
    after = cast(in_turn(does(BUY), does(there), does(passes())))
    yield BUYING.against("a dead button, then the address of what it should lead to", after, "agent", pages=dead)
    noise = cast(in_turn(does(BUY), does(there), does(("click", {"element": "Thank you"})), does(passes())))
    yield BUYING.against("the address, and a click that does nothing", noise, "agent", pages=dead)
    after = cast(in_turn(does(BUY), does(tab), does(passes())))
    yield BUYING.against("a dead button, then a tab with what it should lead to", after, "agent", pages=dead)
    checked = cast(in_turn(does(there), does(TOTAL), does(passes())), looker=sees("$59.98", "Order total"))
    yield TOTALLING.against("the address, and its own check", checked, "agent")


def _before() -> Iterator[Adversary]:
    """Preconditions that are no phrase are statements: somebody must look."""
    stocked = BUYING._replace(
        script=cast(
            on_step({"The backpack is in stock": in_turn(does(passes()))}, in_turn(does(BUY, passes()))),
            looker=sees("In stock", instead="The backpack is not in stock"),
        ),
        pages={**BUYING.pages, "": HOME + "<p>In stock</p>"},
        preconditions=('The shop is open at "@/"', "The backpack is in stock"),
    )
    out = HOME + "<p>The backpack is not in stock</p>"
    yield stocked.against("a precondition that does not hold", stocked.script, "environment", pages={"": out})
