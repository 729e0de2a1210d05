"""What is not drawn names nothing around it, what is slotted belongs to what holds its slot, and lines end words."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

NESTED = """<ul role=tree><li role=treeitem aria-expanded=false>Photos<ul role=group hidden><li role=treeitem>Beach</ul>
<li role=treeitem>Docs<ul role=group><li role=treeitem>Letter</ul></ul>
<article><h3>First post</h3><article style="display:none"><h4>Late reply</h4><p>Me too</article></article>
<ul><li>Menu<ul style="visibility:hidden"><li>Sub entry</ul></ul>
<table><tr><td>Order 7<table hidden><tr><td>Part 7a</table></table>"""


@pytest.mark.parametrize(
    ("role", "name"), [("treeitem", "Beach"), ("article", "Late reply"), ("listitem", "Sub entry"), ("row", "Part 7a")]
)
async def test_what_is_folded_away_is_not_what_holds_it(look: User, site: Site, role: str, name: str) -> None:
    await look.open(site.page(NESTED))
    assert (await look.bad("check_visible", element=name, role=role)).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_visible", element=name, role=role, absent=True)


@pytest.mark.parametrize(("role", "name"), [("treeitem", "Photos"), ("treeitem", "Letter"), ("article", "First post")])
async def test_what_is_drawn_is_found_by_its_text(look: User, site: Site, role: str, name: str) -> None:
    await look.open(site.page(NESTED))
    await look.ok("check_visible", element=name, role=role)


SLOTTED = """<x-box>Do you want this?<button slot=foot>Cancel</button></x-box><script>
customElements.define("x-box", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "open"}).innerHTML =
  "<div role=dialog aria-label='Confirm'><h2>Confirm</h2><div><slot></slot></div><slot name=foot></slot></div>" } })</script>"""


async def test_what_stands_in_a_slot_is_said_by_what_holds_it(look: User, site: Site) -> None:
    await look.open(site.page(SLOTTED))
    await look.ok("check_dialog", text="Do you want this?", match="contains")
    await look.bad("check_dialog", text="Do you want that?", match="contains")
    await look.ok("check_visible", element="Cancel", role="button", within="Confirm")


async def test_an_alert_may_be_part_of_the_page_and_a_text_elsewhere_blames_nobody(look: User, site: Site) -> None:
    await look.open(site.page("<div role=alert>Saved</div><p role=alert hidden>Lost</p><p>Draft kept</p>"))
    for said in ({"text": "Saved"}, {"text": "Saved", "match": "contains"}, {"text": "", "match": "contains"}):
        await look.ok("check_dialog", **said, alert=True)
    for text, alert, failure in [
        ("Saved", False, Failure.NO_EVIDENCE),  # it is no dialog
        ("Draft kept", True, Failure.NO_EVIDENCE),  # which may be drawn as an alert
        ("Lost", True, Failure.EXPECTATION_FALSE),
        ("Sent", True, Failure.EXPECTATION_FALSE),
    ]:
        assert (await look.bad("check_dialog", text=text, alert=alert)).failure == failure, text


STYLED = """<style>.n::after{content:" items"}.b::before{content:"Draft: "}i::after{content:"x"}</style>
<p class=n>12</p><p class=n>Many</p><p class=b>Letter</p><div><span>4</span><i></i><span>5</span></div>"""


async def test_what_a_style_writes_ends_with_its_line(look: User, site: Site) -> None:
    await look.open(site.page(STYLED))
    for text in ("12 items", "Many items", "Draft: Letter"):
        await look.ok("check_text", text=text)
    assert (await look.bad("check_text", text="2 items")).failure == Failure.EXPECTATION_FALSE


CHOICE = """<div role=listbox aria-label=Cabin tabindex=0><div><div role=option aria-selected=true>Business</div></div>
<div style="display:none"><div role=option aria-selected=false>Economy</div><div role=option aria-selected=true>Business</div>
</div></div>"""


async def test_a_choice_that_is_drawn_twice_is_one(look: User, site: Site) -> None:
    await look.open(site.page(CHOICE))
    await look.ok("check_value", element="Cabin", value="Business")
    await look.bad("check_value", element="Cabin", value="Economy")


ROWS = "<table><tr><th>Name<th>Job<tr><td>Ada<td>Engineer<tr><td>Bob<td>Designer</table>"


async def test_a_part_without_the_text_tells_what_it_shows_instead(look: User, site: Site) -> None:
    """The text may be elsewhere on the page, so that "no such text on the page" would be untrue."""
    await look.open(site.page(ROWS))
    assert (await look.bad("check_text", text="Bob", within=["in 1st row"])).seen == '"Ada", "Engineer"'
    assert "on the page" in (await look.bad("check_text", text="Cleo")).seen
