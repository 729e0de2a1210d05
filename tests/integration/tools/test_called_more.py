"""A control or heading that has more words in its name than the sentence is another one, or may be."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

PAGE = """<h1>Booking desk</h1><button>Save as draft</button><button disabled>Send all mails</button>
<a href=#a>Cart (2)</a> <button>3 × Orders</button> <a href=#b><h3>Backpack</h3><p>$29 and free returns</p></a>
<label>Users (at the same time) <input value=7></label> <label>Total before discount <input value=9></label>
<label><input type=checkbox checked> Send me mail about offers</label>"""


@pytest.mark.parametrize(("role", "name"), [("heading", "Booking"), ("button", "Save"), ("button", "Send")])
async def test_what_has_more_words_neither_shows_nor_denies_a_name(
    look: User, site: Site, role: str, name: str
) -> None:
    await look.open(site.page(PAGE))
    for absent in (False, True):
        outcome = await look.bad("check_visible", element=name, role=role, absent=absent)
        assert outcome.failure == Failure.NO_EVIDENCE, outcome.text
        assert "whole name" in outcome.text


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("heading", "Booking desk"),
        ("button", "save as draft"),
        ("link", "Cart"),
        ("button", "Orders"),
        ("link", "Backpack"),
        ("textbox", "Users"),
    ],
)
async def test_numbers_brackets_and_other_lines_do_not_count(look: User, site: Site, role: str, name: str) -> None:
    await look.open(site.page(PAGE))
    await look.ok("check_visible", element=name, role=role)
    await look.bad("check_visible", element=name, role=role, absent=True)


async def test_a_state_or_value_is_that_of_the_name(look: User, site: Site) -> None:
    await look.open(site.page(PAGE))
    calls: list[dict[str, str]] = [{"element": "Send", "state": "disabled"}, {"element": "Send me", "state": "checked"}]
    for call in calls:
        assert (await look.bad("check_state", **call)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_value", element="Total", value="9")).failure == Failure.NO_EVIDENCE
    await look.ok("check_value", element="Users", value="7")
    await look.ok("check_state", element="Send all mails", state="disabled")


async def test_an_act_on_what_has_another_name_and_cannot_be_used_blames_nobody_for_certain(
    look: User, site: Site
) -> None:
    await look.open(site.page(PAGE))
    assert (await look.bad("click", element="Send", role="button")).failure == Failure.NAME_UNKNOWN
    assert (await look.bad("click", element="Send all mails", role="button")).failure == Failure.ELEMENT_MISSING
