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
