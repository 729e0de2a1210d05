"""A value counts as far as a person sees it, also where the cell or box around it is drawn."""

import pytest
from driving import User
from served import Site

TABLE = """<style>td,dd,output{{border:1px solid #aaa}} i{{{style}}}</style>
<table><tr><th>Item<th>Price</tr><tr><td>Lamp<td>$20</tr><tr><td>Chair<td><i>$85</i></tr></table>
<dl><dt>Sum<dd><i>$105</i></dl><output aria-label=Tax><i>$7</i></output><p><b>Ship</b> <span style="border:1px solid">to <i>Rome</i></span></p>"""


@pytest.mark.parametrize("style", ["color:#fff", "font-size:0", "opacity:0", "filter:blur(12px)"])
async def test_a_value_that_nobody_sees_is_none(look: User, site: Site, style: str) -> None:
    await look.open(site.page(TABLE.format(style=style)))
    await look.bad("check_value", element="Price", value="$85", within="Chair")
    await look.bad("check_value", element="Sum", value="$105")
    await look.bad("check_value", element="Tax", value="$7")
    await look.bad("check_value", element="Ship", value="to Rome")
    await look.ok("check_value", element="Price", value="$20", within="Lamp")


async def test_a_value_that_is_seen_is_one(look: User, site: Site) -> None:
    await look.open(site.page(TABLE.format(style="color:#000")))
    await look.ok("check_value", element="Price", value="$85", within="Chair")
    await look.ok("check_value", element="Sum", value="$105")
    await look.ok("check_value", element="Tax", value="$7")
    await look.ok("check_value", element="Ship", value="to Rome")


CAPITALS = """<style>td, dd, p b { text-transform: uppercase } </style><table><tr><th>Item<th>State</tr><tr><td>Lamp<td><i>Paid</i></tr></table>
<dl><dt>Plan<dd>Pro</dl><p>Owner: <b>Ada</b></p><p>Code: ABC</p>"""


async def test_capitals_of_a_style_are_no_other_value(look: User, site: Site) -> None:
    await look.open(site.page(CAPITALS))
    for label, told in (("State", "Paid"), ("Plan", "Pro"), ("Owner", "Ada")):
        for value in (told, told.upper()):
            await look.ok("check_value", element=label, value=value)
            assert "not" in (await look.bad("check_value", element=label, value=value, negate=True)).text
        await look.bad("check_value", element=label, value=told.lower())
        await look.ok("check_value", element=label, value="Lost", negate=True)
    await look.bad("check_value", element="Code", value="Abc")
