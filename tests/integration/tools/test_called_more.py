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


PARTS = """<style>.tag{{background:#eee;padding:0 6px}} small{{color:#777}}</style>
<button>{0}</button><h2>{0}</h2><label><input type=checkbox checked>{0}</label>"""


@pytest.mark.parametrize(
    "inside",
    [
        "<span>Save</span> <span>as draft</span>",
        "<b>Save</b> as draft",
        "<span style='display:inline-flex;gap:6px'><span>Save</span><span>as draft</span></span>",
        "<mark style='background:gold'>Save</mark> as draft",
        "<div>Save</div><div>as draft</div>",
        "Save<br>as draft",
    ],
)
async def test_a_word_in_an_element_of_its_own_is_a_part_of_the_name(look: User, site: Site, inside: str) -> None:
    await look.open(site.page(PARTS.format(inside)))
    for role in ("button", "heading"):
        for absent in (False, True):
            outcome = await look.bad("check_visible", element="Save", role=role, absent=absent)
            assert outcome.failure == Failure.NO_EVIDENCE, outcome.text
    unsure = await look.bad("check_state", element="Save", role="checkbox", state="checked")
    assert unsure.failure == Failure.NO_EVIDENCE
    await look.ok("check_visible", element="Save as draft", role="button")


@pytest.mark.parametrize(
    "inside",
    [
        "<span>Save</span> <span class=tag>new</span>",
        "<div>Save</div><small>as a draft</small>",
        "<span style='display:flex;justify-content:space-between;width:300px'><span>Save</span><span>Ctrl S</span></span>",
        "Save<br><small>as a draft</small>",
        "<b>S</b>ave",
    ],
)
async def test_what_is_set_apart_is_no_part_of_the_name(look: User, site: Site, inside: str) -> None:
    await look.open(site.page(PARTS.format(inside)))
    for role in ("button", "heading"):
        await look.ok("check_visible", element="Save", role=role)
        await look.bad("check_visible", element="Save", role=role, absent=True)
    await look.ok("check_state", element="Save", state="checked", role="checkbox")


async def test_large_words_are_no_heading_of_their_own_in_a_longer_line(look: User, site: Site) -> None:
    await look.open(site.page("<div style='font-size:2em'><span>Order</span> history</div>"))
    assert (await look.bad("check_visible", element="Order", role="heading")).failure == Failure.NO_EVIDENCE
    await look.ok("check_visible", element="Order history", role="heading")
