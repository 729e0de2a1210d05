"""A name that several parts of a page bear says something only where it is true of all of them."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PAGE = """<table><tr><th>Name<th>Role<th>Active</tr><tr><td>Ann Lee<td>Admin<td>yes</tr>
<tr><td>Ann Leeson<td>Guest<td>yes</tr><tr><td>Bob<td>Guest<td>no</tr></table>
<ul><li>Milk, fresh <button>Buy</button></li><li>Milk, sour</li></ul>"""


@pytest.mark.parametrize("absent", [False, True])
async def test_what_only_one_of_them_has_is_open(look: User, site: Site, *, absent: bool) -> None:
    await look.open(site.page(PAGE))
    for text in ("Admin", "Guest"):
        outcome = await look.bad("check_text", text=text, within="Ann", absent=absent)
        assert outcome.failure == Failure.TARGET_UNCLEAR
        assert "Ann Leeson" in outcome.text
    outcome = await look.bad("check_visible", element="Buy", role="button", within="Milk", absent=absent)
    assert outcome.failure == Failure.TARGET_UNCLEAR


async def test_what_all_or_none_of_them_have_is_told(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_text", text="yes", within="Ann")
    await look.ok("check_text", text="no", within="Ann", absent=True)
    assert (await look.bad("check_text", text="Owner", within="Ann")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="Admin", within="Ann Lee")
    await look.bad("check_text", text="Admin", within="Ann Leeson")


async def test_of_very_many_places_that_have_all_words_apart_some_alone_are_looked_at(look: User, site: Site) -> None:
    rows = "".join(f"<tr><td>Row {number}</td><td>Ann</td><td>Edit</td></tr>" for number in range(300))
    await look.open(site.page(f"<table>{rows}</table>"))
    for absent in (False, True):
        outcome = await look.bad("check_text", text="Row Edit", absent=absent)
        assert "more that has all of its words than can be looked at" in outcome.text


TABS = """<div role=tablist><button role=tab aria-selected=true id=t aria-controls=p>Orders</button></div>
<div role=tabpanel id=p aria-labelledby=t><p>Paid in cash</p><table aria-label=Orders><tr><th>Name<th>Price</tr><tr><td>Mug<td>7</tr><tr><td>Cup<td>3</tr></table>
<h3>Reports</h3><table><tr><th>Kind<th>Size</tr><tr><td>Orders<td>99</tr></table>
<div role=grid aria-label=Colours><div role=row><div role=gridcell>Green</div></div></div></div>
<section aria-label=Stock><p>Counted by hand</p><table><tr><th>Thing<th>Left</tr><tr><td>Pot<td>4</tr></table></section>"""


async def test_of_parts_of_one_name_the_kind_that_is_asked_for_counts(look: User, site: Site) -> None:
    """A tab's panel is no table, though it bears the name of the table in it."""
    await look.open(site.page(TABS))
    for table, own, others in (
        ("Orders", "Mug", ("Green", "Paid in cash", "99")),
        ("Stock", "Pot", ("Counted by hand", "Mug")),
    ):
        place = [f'in table "{table}"']
        await look.ok("check_text", text=own, within=place)
        await look.ok("check_text", text="Green", within=place, absent=True)
        for text in others:
            assert (await look.bad("check_text", text=text, within=place)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_count", element="", role="row", count=2, within=['in table "Orders"'])
    await look.ok("check_text", text="Green", within="Orders")
