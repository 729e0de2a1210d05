"""The value that a name labels, where a part of the page is called so, too, or several things are."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PAGE = """<section aria-labelledby=head><h2 id=head>Total</h2><p>$5</p></section>
<fieldset><legend>Outside</legend><p>18 degrees</p></fieldset>
<div role=tablist><button role=tab id=tab aria-selected=true>People</button></div>
<div role=tabpanel aria-labelledby=tab><h3>Team</h3><p>Ada and Bob</p><div><label>People</label><div>4</div></div></div>
<section aria-label=Cart><h2>Cart</h2><p>Yours</p><ul><li>Lamp<li>Chair</ul></section>
<label>Rate <input value=7></label><div><span>Rate</span> <b>9</b></div>"""


@pytest.mark.parametrize(
    ("name", "value"), [("Total", "$5"), ("Outside", "18 degrees"), ("People", "4"), ("Cart", "Yours"), ("Rate", "7")]
)
async def test_what_a_name_labels_is_its_value(look: User, site: Site, name: str, value: str) -> None:
    """The heading of a section is no part of its value, and a panel holds more than the figure of its own name."""
    await look.open(site.page(PAGE))
    await look.ok("check_value", element=name, value=value)
    await look.bad("check_value", element=name, value=f"{value}1")


@pytest.mark.parametrize(("name", "text"), [("People", "Ada"), ("Cart", "Chair"), ("Total", "5")])
async def test_a_part_contains_all_that_it_shows(look: User, site: Site, name: str, text: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_value", element=name, value=text, match="contains")


async def test_a_product_is_not_blamed_where_something_else_of_the_name_has_the_value(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    told = await look.bad("check_value", element="Rate", value="9")
    assert told.failure is Failure.TARGET_UNCLEAR
    assert '"7"' in told.text
    assert '"9"' in told.text
    told = await look.bad("check_value", element="Rate", value="8")
    assert told.failure is Failure.EXPECTATION_FALSE


UNTIED = "".join(
    f"<div><input type=radio name=size {mark}><label>{name}</label></div>"
    for name, mark in (("Small", ""), ("Large", "checked"))
)
CHOICES = f"""<form><div><label>Size</label>{UNTIED}</div>
<p>Colour</p><label><input type=radio name=c> Red</label><label><input type=radio name=c checked> Blue</label>
<p><b>Notify me</b></p><input type=radio name=n id=n1><label for=n1>SMS</label><br><input type=radio name=n id=n2 checked><label for=n2>Mail</label>
<p>Plan</p><div><div role=radio aria-checked=false>Free</div><div role=radio aria-checked=true>Pro</div></div>
<p>Extras</p><label><input type=checkbox> Wrapped</label><label><input type=checkbox checked> Insured</label>
<table><tr><td>Payment<td><label><input type=radio name=p>Invoice</label> <label><input type=radio name=p checked>Card</label></table>
<p>Layout: <label><input type=radio name=l> Grid</label> <label><input type=radio name=l checked> List</label></p>
<ul><li>Mode <span><input type=checkbox id=m1><label for=m1>Dark</label><input type=checkbox id=m2 checked><label for=m2>Quiet</label></span></ul>
<dl><dt>Seat<dd><label><input type=radio name=x>Window</label><label><input type=radio name=x checked>Aisle</label></dl></form>"""
CHOSEN = {
    "Size": ("Large", "Small"),
    "Colour": ("Blue", "Red"),
    "Notify me": ("Mail", "SMS"),
    "Plan": ("Pro", "Free"),
    "Extras": ("Insured", "Wrapped"),
    "Payment": ("Card", "Invoice"),
    "Seat": ("Aisle", "Window"),
    "Layout": ("List", "Grid"),
    "Mode": ("Quiet", "Dark"),
}


async def test_the_name_of_a_choice_is_the_value_of_its_label_only_while_it_is_chosen(look: User, site: Site) -> None:
    await look.open(site.page(CHOICES))
    for name, (chosen, other) in CHOSEN.items():
        await look.ok("check_value", element=name, value=chosen)
        await look.bad("check_value", element=name, value=other)
        await look.bad("check_value", element=name, value=other, match="contains")


async def test_the_name_of_a_choice_is_in_its_state(look: User, site: Site) -> None:
    """The first words of a card that one chooses, and a label that no markup ties to the only choice beside it."""
    cards = "".join(
        f"<div role=radio aria-checked={on}><b>{name}</b><div>$9 a month</div></div>"
        for name, on in (("Free", "false"), ("Pro", "true"))
    )
    await look.open(
        site.page(f"<div><label>Size</label>{UNTIED}</div><div role=radiogroup aria-label=Plan>{cards}</div>")
    )
    for name, is_chosen in (("Large", True), ("Small", False), ("Pro", True), ("Free", False)):
        told = await look("check_state", element=name, state="selected")
        assert told.failure is (None if is_chosen else Failure.EXPECTATION_FALSE), told.text
    assert (await look.bad("check_state", element="Size", state="checked")).failure is Failure.TARGET_UNCLEAR


async def test_a_group_of_choices_that_goes_on_elsewhere_has_no_value(look: User, site: Site) -> None:
    """Nor has one of which nothing is chosen."""
    there = "<div><span>Pick</span><label><input type=radio name=q>A</label></div><p>or</p><label><input type=radio name=q checked>B</label>"
    await look.open(site.page(f"{there}<p>Tip</p><label><input type=checkbox> Ten percent</label>"))
    await look.bad("check_value", element="Pick", value="A")
    await look.bad("check_value", element="Tip", value="Ten percent")
    await look.ok("check_state", element="Tip", state="empty")


DRAWN = """<style>label{display:block} i{display:inline-block;width:16px;height:16px;background:#ccc}</style>
<div><label><span>Rating</span></label><div><i></i> <i></i> <i></i></div></div>
<div><label><span>Alerts</span></label><div role=switch aria-checked=false style="width:30px;height:16px;background:#ccc"></div></div>
<div><label><span>Size</span></label><div><label><input type=radio name=s checked>Small</label><label><input type=radio name=s>Large</label></div></div>
<section><div><span>Total</span><i></i></div><div>12.00</div></section>"""


async def test_what_is_drawn_beside_a_label_is_its_value_whatever_stands_behind(look: User, site: Site) -> None:
    await look.open(site.page(DRAWN))
    for value in ("Small", "4", "Alerts"):
        assert (await look.bad("check_value", element="Rating", value=value)).status != "ok"
    assert "Small" not in (await look.bad("check_value", element="Rating", value="4")).text
    for name, value in (("Size", "Small"), ("Total", "12.00")):
        await look.ok("check_value", element=name, value=value)
