"""What a view calls an element is what tools find it by; what a person uses in place of a hidden field is used."""

import re

import pytest
from driving import User
from served import Site

NAMED = """<style>.x::before { content: '\\d7' } .c::before { content: '\\2605' / 'Close' } .p::before { content: '+' }</style>
<button class=x></button>
<button><i class=c></i></button>
<button><i class=p></i> Add</button>
<label><img alt=Search src=data:,><input></label>
<button><svg width=9 height=9><title>Menu</title></svg></button>
<x-b>Go</x-b>
<span id=d>Delete</span><button id=f aria-label=file aria-labelledby="d f">x</button>
<div style=position:relative;width:200px;height:30px><input id=i style=width:200px;height:30px><label
 for=i style=position:absolute;inset:0>Name</label></div>
<button title=Bold></button>
<input type=image alt=Send src=data:,>
<button>Save<span aria-hidden=true> ✓</span></button>
<input placeholder='Your name'>
<script>customElements.define('x-b', class extends HTMLElement {
  connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '<button><slot></slot></button>' } })
const all = document.querySelectorAll('button,input,x-b')
all.forEach((el, at) => el.addEventListener('click', () => { document.title = at }))</script>"""

NAMES = (
    "×",
    "Close",
    "+ Add",
    "Search",
    "Menu",
    "Go",
    "Delete file",
    "Name",
    "Bold",
    "Send",
    "Save",
    "Your name",
)
"""Of its buttons and fields, in their order."""

HIDDEN = "<style>.h { position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0); overflow: hidden }</style>"
FACE = "<span role=combobox tabindex=0 id=f onclick=\"document.title='used'{more}\">Red</span>"
STOOD_FOR = {
    "a list below a widget": (
        "<label for=s>Colour</label><select id=s class=h onchange='f.textContent = this.value'><option>Red<option>Blue"
        f"</select><span>{FACE.format(more=';u.hidden=false')}</span><ul id=u hidden><li role=option>Red"
        "<li role=option onclick='s.value = this.textContent; s.onchange()'>Blue</ul>"
    ),
    "a list that is not drawn": (
        "<label for=s>Colour</label><select id=s style=display:none><option>Red<option>Blue</select>"
        f"{FACE.format(more=';u.hidden=false')}"
        "<ul id=u hidden><li role=option>Red<li role=option onclick='f.textContent = this.textContent'>Blue</ul>"
    ),
    "a toggle below its picture": (
        "<label><input type=checkbox class=h onchange=\"document.title='used'\">"
        "<span style=display:inline-block;width:20px;height:20px;background:red></span> Colour</label>"
    ),
    "a transparent toggle": (
        "<label style=position:relative><input type=checkbox style=opacity:0;position:absolute "
        "onchange=\"document.title='used'\"><span style=position:absolute;inset:0;background:red></span> Colour</label>"
    ),
    "a toggle out of reach": (
        "<input id=q type=checkbox style=position:absolute;left:-9999px onchange=\"document.title='used'\">"
        "<label for=q>Colour</label>"
    ),
}


async def test_what_the_view_calls_an_element_finds_it(look: User, site: Site) -> None:
    await look.open(site.page(NAMED))
    look.ctx.action_timeout = 5.0
    view = (await look.ok("snapshot")).text
    told = re.findall(r'- (button|textbox) "([^"]*)"', view)
    assert {name for _, name in told} == set(NAMES)
    wrong: list[str] = []
    for role, name in told:
        outcome = await look("click", element=name, role=role)
        if await look.script("document.title") != str(NAMES.index(name)):
            wrong.append(f"{role} {name}: {outcome.text}")
    assert not wrong


@pytest.mark.parametrize("kind", STOOD_FOR)
async def test_what_stands_for_a_hidden_field_is_used(look: User, site: Site, kind: str) -> None:
    await look.open(site.page(HIDDEN + STOOD_FOR[kind]))
    look.ctx.action_timeout = 5.0
    await look.ok("click", element="Colour")
    assert await look.script("document.title") == "used"
    if "toggle" in kind:
        await look.ok("uncheck", element="Colour")
        assert (await look.ok("check", element="Colour")).confirmed
        return
    await look.ok("select", element="Colour", options=["Blue"])
    assert await look.script("f.textContent") == "Blue"
    await look.ok("check_value", element="Colour", value="Blue")


async def test_words_in_the_tooltip_of_a_button_that_says_something_do_not_name_it(do: User, site: Site) -> None:
    await do.open(
        site.page("<button title='You cannot delete this'>Archive</button><button title='Close this'>×</button>")
    )
    for tool in ("click", "check_visible"):
        assert (await do.bad(tool, element="Delete", role="button")).status != "ok"
    await do.ok("check_visible", element="Delete", role="button", absent=True)
    await do.ok("click", element="You cannot delete this")
