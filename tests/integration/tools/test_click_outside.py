"""A click where nothing is: it takes the focus from a field, and closes what a click outside closes."""

import pytest
from driving import User
from served import Site

FORM = """<a href=/away style="position:fixed;left:0;top:0;width:40px;height:100%">Home</a>
<label>Email <input id=mail onchange="out.textContent='Invalid email'"></label> <button onclick="out.textContent='Sent'">Send</button>
<p id=out></p>"""
CLOSING = "onclick='if (event.target === this) this.remove()'"
BOX = "<div style='margin:100px auto;width:300px;background:#fff'><h2>Sure?</h2><label>Why <input onblur=\"out.textContent='Left'\"></label></div>"
OVERLAY = f"<div style='position:fixed;inset:0;background:rgba(0,0,0,.5)' {CLOSING}>{BOX}</div>"
MARKED = f"<div role=dialog aria-modal=true aria-label=Sure style='position:fixed;inset:0' {CLOSING}>{BOX}</div>"
NATIVE = """<dialog id=d aria-label=Sure><h2>Sure?</h2><label>Why <input onblur="out.textContent='Left'"></label></dialog><script>
d.showModal(); d.onclick = (event) => { const box = d.getBoundingClientRect();
if (event.clientX < box.left || event.clientY < box.top) d.remove(); };</script>"""
MENU = """<div role=menu aria-label=Filters style="position:absolute;left:60px;top:60px;background:#eee"><a href=/a role=menuitem>New</a></div>
<script>document.addEventListener("mousedown", (event) => { const menu = document.querySelector("[role=menu]");
if (!menu?.contains(event.target)) menu.remove(); });</script>"""


async def test_a_field_loses_the_focus_and_nothing_is_used(do: User, site: Site) -> None:
    await do.open(site.page(FORM))
    await do.ok("type", element="Email", text="abc")
    assert 'Leave the "Email" field' in (await do.bad("check_text", text="Invalid email")).text
    await do.ok("click_outside", element="Email")
    await do.ok("check_text", text="Invalid email")
    assert "Leave the" not in (await do.bad("check_text", text="Sent")).text
    assert await do.script("document.activeElement === document.body")


async def test_without_a_name_it_is_what_has_the_focus(do: User, site: Site) -> None:
    await do.open(site.page(FORM))
    await do.ok("type", element="Email", text="abc")
    await do.ok("click_outside")
    await do.ok("check_text", text="Invalid email")


@pytest.mark.parametrize("layer", [OVERLAY, MARKED, NATIVE])
async def test_a_dialog_is_closed(do: User, site: Site, layer: str) -> None:
    await do.open(site.page(FORM + layer))
    await do.ok("click_outside", element="", role="dialog")
    await do.ok("check_text", text="Sure?", absent=True)


@pytest.mark.parametrize("layer", [OVERLAY, MARKED, NATIVE])
async def test_a_field_in_a_dialog_is_left_and_the_dialog_stays(do: User, site: Site, layer: str) -> None:
    await do.open(site.page(FORM + layer))
    await do.ok("type", element="Why", text="So")
    await do.ok("click_outside", element="Why")
    await do.ok("check_text", text="Sure?")
    assert await do.script("out.textContent") == "Left"


async def test_a_menu_is_closed(do: User, site: Site) -> None:
    await do.open(site.page(FORM + MENU))
    await do.ok("click_outside", element="Filters")
    await do.ok("check_visible", element="New", absent=True)


async def test_in_a_frame_it_is_a_place_of_the_frame(do: User, site: Site) -> None:
    inner = "<input aria-label=Name onchange=document.title=1>"
    style = "margin:120px 0 0 200px;width:400px;height:200px"
    await do.open(site.page(f'<p>Around</p><iframe srcdoc="{inner}" style="{style}"></iframe>'))
    await do.ok("type", element="Name", text="Ada")
    await do.ok("click_outside", element="Name")
    assert await do.script("frames[0].document.title") == "1"


async def test_where_everything_is_used_it_is_refused(do: User, site: Site) -> None:
    await do.open(site.page("<button style='position:fixed;inset:0;width:100%'>All</button>"))
    assert "no empty place" in (await do.bad("click_outside", element="All")).text
