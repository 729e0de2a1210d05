"""Pages made of custom elements in custom elements: each text counts once, and lists and toggles are seen in their trees."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

TREES = """<script>
for (const [name, inner] of Object.entries({inners})) customElements.define(name, class extends HTMLElement {{
  connectedCallback() {{ this.attachShadow({{ mode: "open" }}).innerHTML = inner; }}
}});
</script>"""
UNSEEN = """<x-page></x-page>""" + TREES.format(
    inners="""{"x-page": "<x-tab></x-tab><x-tab style='opacity:0'></x-tab>", "x-tab": "<x-text></x-text>", "x-text": "<p>Nothing yet</p>"}"""
)
HIDDEN = UNSEEN.replace("<x-tab></x-tab><x-tab ", "<x-tab ")
SCROLLED = """<main style="height:300px;overflow:auto"><p>Head</p><x-long></x-long></main>""" + TREES.format(
    inners="""{"x-long": "<p style='height:200px'>First</p><p style='height:300px'>Second</p><p>Last</p>"}"""
)
ROOMY = """<style>main{height:300px;overflow:auto} section{padding:90px 0 160px}</style>
<main><section><ul><li>One<li>Two<li>Three</ul><p style='height:300px'>Text</p><p>Last</p></section></main>"""
SPACED = """<main style="height:200px;overflow:auto"><ul style="padding-bottom:160px"><li>One<li>Two<li>Three<li>Four</ul></main>"""
SLOTTED = """<x-table role=grid><x-row role=row><x-cell role=columnheader>Item</x-cell><x-cell role=columnheader>Stock</x-cell></x-row>
<x-row role=row><x-cell role=gridcell>Lamp</x-cell><x-cell role=gridcell>4</x-cell></x-row><x-row role=row><x-cell role=gridcell>Desk</x-cell><x-cell role=gridcell>0</x-cell></x-row></x-table>
<style>x-table,x-row{display:block} x-cell{display:inline-block;width:90px}</style>""" + TREES.format(
    inners="""{"x-table": "<slot></slot>", "x-row": "<slot></slot>", "x-cell": "<slot></slot>"}"""
)
GRID = """<div role=grid><div role=row><div role=columnheader>Item</div><span class=grip></span><div role=columnheader>Stock</div><span></span></div>
<div role=row><div role=gridcell>Lamp</div><div role=gridcell>4</div></div><div role=row><div role=gridcell>Desk</div><div role=gridcell>0</div></div></div>"""
SWITCH = """<style>b{width:40px;height:20px;background:#ccc} [aria-checked=true] b{background:#080}</style>
<div id=s role=switch aria-checked=false style="display:inline-flex;width:200px"><span style="width:150px">Express</span><b id=b></b></div>
<script>b.onclick = () => s.setAttribute("aria-checked", String(s.ariaChecked !== "true"))</script>"""


async def test_a_text_in_a_tree_in_a_tree_is_no_second_one(look: User, site: Site) -> None:
    await look.open(site.page(HIDDEN))
    assert (await look.bad("check_text", text="Nothing yet")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_text", text="Nothing yet", absent=True)
    await look.open(site.page(UNSEEN))
    await look.ok("check_text", text="Nothing yet")
    await look.bad("check_text", text="Nothing yet", absent=True)


@pytest.mark.parametrize("page", [SCROLLED, ROOMY])
async def test_what_is_drawn_to_its_end_lacks_nothing(look: User, site: Site, page: str) -> None:
    await look.open(site.page(page))
    await look.ok("check_text", text="Last")
    await look.ok("check_text", text="Fifth", absent=True)
    assert (await look.bad("check_text", text="Fifth")).failure == Failure.EXPECTATION_FALSE


async def test_room_that_is_set_for_one_element_may_be_that_of_more_items(look: User, site: Site) -> None:
    await look.open(site.page(SPACED))
    assert (await look.bad("check_text", text="Fifth", absent=True)).failure == Failure.NO_EVIDENCE


async def test_a_row_of_heads_with_handles_between_them_is_no_row(look: User, site: Site) -> None:
    await look.open(site.page(GRID))
    await look.ok("check_count", element="", role="row", count=2)
    await look.bad("check_count", element="", role="row", count=3)
    await look.ok("check_value", element="Stock", value="4", within="Lamp")


async def test_a_toggle_is_used_where_its_box_is_drawn(look: User, site: Site) -> None:
    await look.open(site.page(SWITCH))
    await look.ok("check", element="Express")
    await look.ok("check_state", element="Express", state="checked")
    await look.ok("uncheck", element="Express")
    await look.bad("check_state", element="Express", state="checked")


async def test_the_text_of_a_cell_may_stand_in_a_slot(look: User, site: Site) -> None:
    await look.open(site.page(SLOTTED))
    await look.ok("check_value", element="Stock", value="4", within="Lamp")
    await look.ok("check_value", element="Stock", value="0", within=['in row "Desk"'])
    await look.bad("check_value", element="Stock", value="0", within="Lamp")
    await look.ok("check_count", element="Lamp", role="row", count=1)
