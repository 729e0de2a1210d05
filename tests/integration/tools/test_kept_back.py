"""What a modal dialog or a veil over the page keeps a person from is not typed into or chosen from."""

import pytest
from driving import User
from served import Site

FORM = """<label>Name <input id=n></label><label>Size <select><option>S<option>L</select></label>
<p style="height:2000px"></p><label>Note <textarea></textarea></label>"""
MODAL = "<dialog id=d><p>Sure?</p><input aria-label=Why></dialog><script>d.showModal()</script>"
LEFT_OVER = '<div id=d style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>'
BOXED = """<div id=d style="position:fixed;inset:0;background:rgba(0,0,0,.5)">
<div style="margin:100px;background:#fff"><p>Sure?</p><input aria-label=Why></div></div>"""
BEHIND = '<div style="position:fixed;inset:0;z-index:-1;background:#eee"></div>'
CLEAR = '<div style="position:fixed;inset:0"></div>'
UNTOUCHABLE = '<div style="position:fixed;inset:0;background:rgba(0,0,0,.1);pointer-events:none"></div>'
DRAWER = """<div style="position:fixed;inset:0;background:rgba(0,0,0,.5)"></div>
<div style="position:fixed;left:0;top:0;width:300px;height:100%;background:#fff"><input aria-label=Why></div>"""


@pytest.mark.parametrize("layer", [MODAL, LEFT_OVER, BOXED])
async def test_what_is_behind_it_is_not_used(do: User, site: Site, layer: str) -> None:
    await do.open(site.page(FORM + layer))
    for name in ("Name", "Note"):
        assert "is covered by" in (await do.bad("type", element=name, text="Ada")).text
    assert "is covered by" in (await do.bad("select", element="Size", options=["L"])).text
    assert "is covered by" in (await do.bad("press", element="Name", key="a")).text
    assert await do.script("document.querySelector('select').value + n.value") == "S"


@pytest.mark.parametrize("layer", [MODAL, BOXED, DRAWER])
async def test_what_is_before_it_is_used(do: User, site: Site, layer: str) -> None:
    await do.open(site.page(FORM + layer))
    await do.ok("type", element="Why", text="Ada")


@pytest.mark.parametrize("layer", [BEHIND, CLEAR, UNTOUCHABLE])
async def test_what_keeps_nobody_from_the_page_does_not_count(do: User, site: Site, layer: str) -> None:
    await do.open(site.page(FORM + layer))
    await do.ok("type", element="Note", text="Ada")
    await do.ok("select", element="Size", options=["L"])


async def test_a_veil_that_goes_away_is_waited_for(do: User, site: Site) -> None:
    await do.open(site.page(FORM + LEFT_OVER + "<script>setTimeout(() => d.remove(), 700)</script>"))
    await do.ok("type", element="Name", text="Ada")
