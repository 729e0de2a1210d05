"""Fields, tabs and links of libraries that tell little of them: a label in wrappers, a choice drawn beside its field."""

import pytest
from driving import User
from served import Site

from muster_protocol.causes import Failure

WRAPPED = """<style>.item{display:flex} #s{background:#ccc} #s[aria-checked=true]{background:#080}</style>
<div class=item><label><span>Express</span></label><div class=blank><div id=s role=switch aria-checked=false tabindex=0 style="width:40px;height:20px"></div></div></div>
<div class=item><label><span>Name</span><span>&nbsp;*</span></label><div class=blank><input></div></div>
<script>s.onclick = () => s.setAttribute("aria-checked", "true")</script>"""
CHOSEN = """<div class=item><label for=c>Area</label><div class=select><div class=hull><div style="opacity:0;width:1px"><input id=c role=combobox aria-haspopup=listbox readonly></div>
<div><span>Stalls</span></div></div></div></div>"""
PICKER = """<label id=l>Area</label> <button aria-haspopup=listbox aria-labelledby="l b" id=b>Stalls
<span style="position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;overflow:hidden">Area</span></button>"""
FADING = """<style>@keyframes out { to { opacity: 0 } } [data-state=closed] { animation: out 0.3s forwards }</style>
<div role=dialog id=d data-state=open><h2>Sure?</h2><button id=b>Keep</button></div>
<script>b.onclick = () => { d.dataset.state = "closed"; d.onanimationend = () => d.remove() }</script>"""
CELL = """<table><tr><th>Name<th>Description</tr><tr><td><div>kind</div><div>string</div><td><select><option>cat<option>dog</select></tr>
<tr><td><div>limit</div><div>integer</div><td>of a page</tr></table>"""
TABS = """<style>.tab{cursor:pointer} .tab.active{color:green}</style><div class=wrapper><div class=cell><div class="tab active" id=d><span>Details</span></div></div>
<div class=cell><div class=pad></div><div class=tab id=h><span>History</span></div></div></div><p id=p>Shipped</p>
<script>h.onclick = () => { p.textContent = "Nothing yet"; h.classList.add("active"); d.classList.remove("active") }</script>"""
TREE = """<style>.node{cursor:pointer} .made{color:blue} .item{cursor:pointer;color:#444} .item.selected{background:#def;color:navy}</style>
<nav><a href=#1>Flow 1</a> <a href=#2>Help</a><button>Deploy</button></nav><p style="color:green">Saved</p>
<aside><div class=node onclick="1">Orders</div><div class="node made" onclick="1">Imprint</div></aside>
<ul><li><div class="item selected" onclick="1">Invoices</div><li><div class=item onclick="1">Bills</div></ul>
<span onclick="1" style="color:green">Stock</span><div onclick="1"><u>Terms</u></div><div onclick="1" style="border:1px solid">Publish</div>
<div role=tablist><button role=tab>First</button></div><div><div class=tab onclick="1">Cards</div><div class=tab onclick="1">Decks</div></div>"""


async def test_a_label_in_wrappers_names_the_field_beside_it(look: User, site: Site) -> None:
    await look.open(site.page(WRAPPED))
    await look.ok("check_state", element="Express", role="switch", state="unchecked")
    await look.ok("check", element="Express")
    await look.ok("check_state", element="Express", state="checked")
    await look.ok("check_state", element="Name", state="empty")


async def test_a_choice_is_read_where_it_is_drawn(look: User, site: Site) -> None:
    await look.open(site.page(CHOSEN))
    await look.ok("check_value", element="Area", value="Stalls")
    await look.bad("check_value", element="Area", value="Box")


async def test_a_field_in_the_next_cell_may_be_meant_by_a_name_among_other_words(look: User, site: Site) -> None:
    await look.open(site.page(CELL))
    for value in ("cat", "string"):
        assert (await look.bad("check_value", element="kind", value=value)).failure == Failure.TARGET_UNCLEAR
    await look.ok("check_value", element="limit", value="integer")


async def test_tabs_in_wrappers_of_their_own_are_tabs(look: User, site: Site) -> None:
    await look.open(site.page(TABS))
    await look.ok("check_state", element="Details", role="tab", state="selected")
    await look.ok("click", element="History", role="tab")
    await look.ok("check_text", text="Nothing yet")
    await look.ok("check_state", element="History", role="tab", state="selected")
    await look.bad("check_state", element="Details", role="tab", state="selected")


@pytest.mark.parametrize(
    ("role", "name"),
    [
        ("link", "Orders"),
        ("link", "Bills"),  # a shade of grey
        ("link", "Invoices"),  # the chosen one of several
        ("button", "Invoices"),
        ("link", "Stock"),  # the colour of a text that cannot be clicked
        ("tab", "Cards"),
    ],
)
async def test_what_looks_like_no_control_is_none_for_certain_where_such_are_marked(
    look: User, site: Site, role: str, name: str
) -> None:
    await look.open(site.page(TREE))
    for absent in (False, True):
        outcome = await look.bad("check_visible", element=name, role=role, absent=absent)
        assert outcome.failure == Failure.NO_EVIDENCE
    assert (await look.bad("check_state", element=name, role=role, state="enabled")).failure == Failure.TARGET_UNCLEAR
    await look.ok("click", element=name, role=role)


@pytest.mark.parametrize(
    ("role", "name"),
    [("link", "Imprint"), ("link", "Terms"), ("button", "Publish"), ("link", "Flow 1"), ("tab", "First")],
)
async def test_what_looks_like_a_control_is_one(look: User, site: Site, role: str, name: str) -> None:
    await look.open(site.page(TREE))
    await look.ok("check_visible", element=name, role=role)
    await look.ok("check_state", element=name, role=role, state="enabled")


async def test_what_is_there_for_screen_readers_alone_is_no_part_of_a_choice(look: User, site: Site) -> None:
    await look.open(site.page(PICKER))
    await look.ok("check_value", element="Area", value="Stalls")
    await look.bad("check_value", element="Area", value="Stalls Area")


async def test_what_fades_out_has_changed_the_page(look: User, site: Site) -> None:
    await look.open(site.page(FADING))
    closed = await look.ok("click", element="Keep")
    assert "Nothing on the page" not in closed.text


UNTIED = "<div class=field><label>E-mail</label><div>{field}</div></div><div class=field><label>Name</label><div><input></div></div>"


@pytest.mark.parametrize(
    ("field", "state"),
    [
        ("<input disabled>", "disabled"),
        ("<input required>", "required"),
        ("<select disabled><option>a</select>", "disabled"),
        ("<input readonly value=a>", "readonly"),
    ],
)
async def test_the_state_of_a_field_is_not_that_of_the_label_beside_it(
    look: User, site: Site, field: str, state: str
) -> None:
    await look.open(site.page(UNTIED.format(field=field)))
    await look.ok("check_state", element="E-mail", state=state)
    assert (await look.bad("check_state", element="Name", state=state)).failure == Failure.EXPECTATION_FALSE


async def test_a_label_alone_is_no_field_that_is_seen(look: User, site: Site) -> None:
    await look.open(site.page(UNTIED.format(field="<input style='display:none'>")))
    assert (await look.bad("check_visible", element="E-mail")).failure == Failure.EXPECTATION_FALSE
    await look.ok("check_visible", element="E-mail", absent=True)
    await look.ok("check_visible", element="Name")


async def test_a_field_is_clicked_by_the_label_beside_it(do: User, site: Site) -> None:
    await do.open(
        site.page(
            UNTIED.format(field="<input type=hidden><input readonly value='10 March' onclick='document.title = 7'>")
        )
    )
    await do.ok("check_value", element="E-mail", value="10 March")
    await do.ok("click", element="E-mail")
    assert await do.script("document.title") == "7"


@pytest.mark.parametrize(
    "field",
    [
        "<select style='display:none'><option>a</select><b>Chosen</b>",
        "<input><input>",
        "<input type=checkbox style='opacity:0'>",
    ],
)
async def test_a_label_stays_what_is_meant_where_no_one_field_is_beside_it(look: User, site: Site, field: str) -> None:
    await look.open(site.page(UNTIED.format(field=field)))
    await look.ok("check_visible", element="E-mail")


async def test_the_only_field_of_a_page_is_not_that_of_a_text_far_from_it(do: User, site: Site) -> None:
    await do.open(
        site.page(
            "<h3>Article</h3><div contenteditable style='border:1px solid'></div><p>Write here</p><h3>Terminal</h3><div>Welcome</div>"
        )
    )
    await do.bad("type", element="Terminal", text="ls")
    await do.ok("type", element="Article", text="Story")
    await do.bad("check_value", element="Terminal", value="Story")
    await do.ok("check_value", element="Article", value="Story")


async def test_a_label_at_the_top_of_a_shadow_tree_names_the_field_beside_it(look: User, site: Site) -> None:
    shadow = "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<label>Role</label><input>'</script>"
    await look.open(site.page(shadow))
    await look.ok("type", element="Role", text="Designer")
    await look.ok("check_value", element="Role", value="Designer")
