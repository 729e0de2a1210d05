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
