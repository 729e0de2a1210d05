"""What nobody can tell of a page proves nothing, and is no fault of the product either."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

CANVAS = "<canvas id=c width=300 height=60></canvas><script>c.getContext('2d').fillText('Sales 2026', 10, 30)</script>"
ITEMS = """<div id=v style="height:200px;overflow:auto"><div id=s role=list style="height:20000px;position:relative"></div></div>
<script>v.onscroll = () => { const from = Math.floor(v.scrollTop / 20); s.innerHTML = "";
for (let i = from; i < from + 11; i++) s.insertAdjacentHTML("beforeend", `<div role=listitem style="position:absolute;top:${i * 20}px">Item ${i + 1}</div>`) };
v.onscroll()</script>"""
VEIL = "<div style='position:relative;width:300px'><p>Saved</p><button>Undo</button><div style='position:absolute;inset:0;background:rgba(255,255,255,{});{}'></div></div>"
HINTED = """<label>Email <input id=e placeholder=Email></label><button type=button onclick="e.placeholder='Email is required'">Send</button>"""
SUMMED_UP = (
    """<p><label>Email <input></label></p><p><button>Send</button></p><p style="color:red">Email is required</p>"""
)


async def test_what_was_written_into_a_picture_may_be_seen(look: User, site: Site) -> None:
    await look.open(site.page(CANVAS))
    for absent in (False, True):
        assert (await look.bad("check_text", text="Sales 2026", absent=absent)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_text", text="Sales 2027")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="Sales 2027", absent=True)


async def test_a_list_that_draws_only_a_part_of_itself_lacks_nothing_for_certain(look: User, site: Site) -> None:
    await look.open(site.page(ITEMS))
    await look.ok("check_text", text="Item 3")
    for absent in (False, True):
        assert (await look.bad("check_text", text="Item 500", absent=absent)).failure == Failure.NO_EVIDENCE
    gone = await look.bad("check_visible", element="Item 500", role="listitem", absent=True)
    assert gone.failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_count", element="", role="listitem", count=11)).failure == Failure.NO_EVIDENCE
    await look.ok("check_count", element="", role="listitem", count=5, comparison="at_least")
    assert (await look.bad("check_text", text="Deleted")).failure == Failure.EXPECTATION_FALSE


@pytest.mark.parametrize(("opacity", "style"), [(0.97, ""), (0.93, "pointer-events:none")])
async def test_what_a_veil_leaves_almost_nothing_of_is_not_seen(
    look: User, site: Site, opacity: float, style: str
) -> None:
    await look.open(site.page(VEIL.format(opacity, style)))
    assert (await look.bad("check_text", text="Saved")).failure == Failure.EXPECTATION_FALSE
    await look.bad("check_text", text="Saved", absent=True)
    for absent in (False, True):
        await look.bad("check_visible", element="Undo", role="button", absent=absent)


async def test_what_can_be_read_through_a_veil_is_seen(look: User, site: Site) -> None:
    await look.open(site.page(VEIL.format(0.6, "")))
    await look.ok("check_text", text="Saved")
    await look.ok("check_visible", element="Undo", role="button")


@pytest.mark.parametrize("style", ["font-size:4px", "height:7px;line-height:18px;overflow:hidden"])
async def test_letters_that_are_too_small_or_cut_in_half_are_not_read(look: User, site: Site, style: str) -> None:
    await look.open(site.page(f"<p style='{style}'>Terms apply</p>"))
    await look.bad("check_text", text="Terms apply")


async def test_a_tooltip_under_the_pointer_hides_nothing(look: User, site: Site) -> None:
    tip = "<div role=tooltip style='position:absolute;top:0;left:0;width:200px;height:60px;background:#333'>Sort</div>"
    await look.open(site.page(f"<p>Total 12.00</p>{tip}"))
    await look.ok("check_text", text="Total 12.00")


async def test_an_error_that_nothing_ties_to_its_field_is_open(look: User, site: Site) -> None:
    await look.open(site.page(HINTED))
    field = ['of field "Email"']
    assert (await look.bad("check_text", text="Email is required", within=field)).failure == Failure.EXPECTATION_FALSE
    await look.ok("click", element="Send")
    assert (await look.bad("check_text", text="Email is required", within=field)).failure == Failure.NO_EVIDENCE
    await look.open(site.page(SUMMED_UP))
    assert (await look.bad("check_text", text="Email is required", within=field)).failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_text", text="Email is wrong", within=field)).failure == Failure.EXPECTATION_FALSE


async def test_a_name_that_nobody_can_read_is_no_visible_element(look: User, site: Site) -> None:
    flat = "<button style='color:#06c;background:#06c;border:0'>Save</button>"
    row = "<table><tr><td style='color:#fff'>Emma<td>12.00</table>"
    await look.open(site.page(f"{flat}{row}<button aria-label=Close>×</button>"))
    for element, role in (("Save", "button"), ("Emma", "row")):
        for absent in (False, True):
            bad = await look.bad("check_visible", element=element, role=role, absent=absent)
            assert bad.failure == Failure.EXPECTATION_FALSE
    await look.ok("check_visible", element="Close", role="button")


DRAWN_SO = """<style>i::before { content: "Step " counter(n) ": " } em::after { content: counter(n) "." }</style><ol><li>Alpha</ol><ul style="list-style-type:'New '"><li>Beta</ul>
<p>Еrrоr 42</p><p>Ｔｏｔａｌ</p><bdo dir=rtl>21 retaW</bdo><img alt="Floor plan" src=/none.png><i>Pay</i><em>Fee</em>"""


async def test_what_is_drawn_without_being_written_is_neither_there_nor_missing(look: User, site: Site) -> None:
    await look.open(site.page(DRAWN_SO))
    for text in ("1. Alpha", "New", "Error 42", "Total", "Water 12", "Floor plan", "Step 3: Pay"):
        for absent in (False, True):
            bad = await look.bad("check_text", text=text, absent=absent)
            assert bad.failure == Failure.NO_EVIDENCE, text
    for text in ("Error 43", "1. Gamma", "5.00", "Step 3: Fee", "Sum"):
        await look.ok("check_text", text=text, absent=True)
